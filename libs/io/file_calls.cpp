#include "io/file_calls.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
#include <vector>

namespace io {

namespace {

constexpr std::size_t copy_step = 1U << 30;
constexpr std::size_t buffer_size = 1U << 20;

// Whether the kernel or the file system does not support copying. This says nothing about the data.
bool cannot_copy(int error_number) {
    return error_number == EXDEV || error_number == EINVAL || error_number == ENOSYS ||
           error_number == EOPNOTSUPP || error_number == EPERM || error_number == ETXTBSY;
}

base::Result<void> copy_by_hand(const FileCalls& calls, int from, off_t offset, int to, std::uint64_t end) {
    std::vector<char> buffer(buffer_size);
    while (static_cast<std::uint64_t>(offset) < end) {
        std::size_t wanted = std::min<std::uint64_t>(buffer.size(), end - static_cast<std::uint64_t>(offset));
        ssize_t got = ::pread(from, buffer.data(), wanted, offset);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return base::system_error("cannot read the source of the copy");
        if (got == 0)
            return base::system_error(
                base::concat("cannot copy: the file ends at byte ", offset, " of ", end), EIO);
        auto written = write_all(calls, to, {buffer.data(), static_cast<std::size_t>(got)});
        if (written.has_error()) return written;
        offset += got;
    }
    return {};
}

}  // namespace

FileCalls FileCalls::real() {
    FileCalls calls;
    calls.write = [](int fd, const void* data, std::size_t size) { return ::write(fd, data, size); };
    calls.copy = [](int from, off_t* from_offset, int to, std::size_t size) {
        return ::copy_file_range(from, from_offset, to, nullptr, size, 0);
    };
    calls.fsync = [](int fd) { return ::fsync(fd); };
    calls.fdatasync = [](int fd) { return ::fdatasync(fd); };
    calls.rename = [](int directory, const char* from, const char* to) {
        return ::renameat2(directory, from, directory, to, RENAME_NOREPLACE);
    };
    calls.replace = [](int directory, const char* from, const char* to) {
        return ::renameat(directory, from, directory, to);
    };
    return calls;
}

base::Result<void> write_all(const FileCalls& calls, int fd, std::string_view text) {
    while (!text.empty()) {
        ssize_t written = calls.write(fd, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return base::system_error("cannot write");
        if (written == 0) return base::system_error("cannot write", EIO);  // avoids an endless loop
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    return {};
}

base::Result<void> copy_all(const FileCalls& calls, int from, int to, ByteRange range) {
    auto offset = static_cast<off_t>(range.begin);
    while (static_cast<std::uint64_t>(offset) < range.end) {
        std::uint64_t left = range.end - static_cast<std::uint64_t>(offset);
        ssize_t copied = calls.copy(from, &offset, to, std::min<std::uint64_t>(left, copy_step));
        if (copied > 0 || (copied < 0 && errno == EINTR)) continue;
        // 0 means the end of the file, but some file systems return it for files that they cannot copy.
        if (copied == 0 || cannot_copy(errno)) return copy_by_hand(calls, from, offset, to, range.end);
        return base::system_error("cannot copy");
    }
    return {};
}

base::Result<void> sync(const std::function<int(int fd)>& call, int fd) {
    // EINTR says nothing about the data: the kernel remembers a failed write-back until a sync has reported
    // it as another error.
    while (call(fd) != 0)
        if (errno != EINTR) return base::system_error("cannot sync");
    return {};
}

}  // namespace io
