#include "runner/output_files.hpp"

#include "base/text.hpp"
#include "io/directory.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

namespace runner {

namespace {

// So much of the disk is left for the state log: the lower one of both.
constexpr std::uint64_t most_left_free = std::uint64_t{16} << 20;  // bytes
constexpr std::uint64_t part_left_free = 16;                       // a sixteenth of the disk

base::Result<io::UniqueFd> create(const std::string& path, int flags) {
    io::UniqueFd fd(::open(path.c_str(), flags | O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!fd) return base::system_error(base::concat("cannot create ", path));
    return fd;
}

base::Result<void> write_whole(int fd, const std::string& path, std::size_t size_before,
                               std::string_view text) {
    auto written = io::write_all(fd, text);
    if (written) return {};
    (void)!::ftruncate(fd, static_cast<off_t>(size_before));  // without a part of a record
    return base::with_context(path, written.error());
}

base::Result<std::string> whole_text(const std::string& path) {
    io::UniqueFd fd(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
    struct stat status {};
    if (!fd || ::fstat(fd.get(), &status) != 0) return base::system_error(base::concat("cannot read ", path));
    io::OpenFile file{std::move(fd), path, static_cast<std::size_t>(status.st_size)};
    return file.text(file.size);
}

}  // namespace

base::Result<void> OutputFiles::append(std::uint32_t segment, std::string_view index,
                                       std::string_view records) {
    if (auto opened = open(segment); !opened) return opened;
    if (auto possible = check_disk(index.size() + records.size()); !possible) return possible;
    if (auto written = write_whole(index_.fd.get(), index_.path, index_.size, index); !written)
        return written;
    auto written = write_whole(segment_.fd.get(), segment_.path, segment_.size, records);
    if (!written) {
        (void)!::ftruncate(index_.fd.get(), static_cast<off_t>(index_.size));
        return written;
    }
    index_.size += index.size();
    segment_.size += records.size();
    return {};
}

base::Result<void> OutputFiles::open(std::uint32_t segment) {
    if (!index_.fd)
        if (auto opened = open_index(); !opened) return opened;
    if (segment == number_) return {};
    std::string path = segment_path(segment);
    auto fd = create(path, O_APPEND);
    if (!fd) return fd.error();
    segment_ = {std::move(path), std::move(*fd), 0};
    number_ = segment;
    return {};
}

base::Result<void> OutputFiles::open_index() {
    if (::mkdir(directory_.c_str(), 0700) != 0 && errno != EEXIST)
        return base::system_error(base::concat("cannot make the directory ", directory_));
    std::string path = directory_ + "/index.ndjson";
    auto fd = create(path, O_APPEND);
    if (!fd) return fd.error();
    index_ = {std::move(path), std::move(*fd), 0};
    return {};
}

std::string OutputFiles::what_was_removed() const {
    struct stat index {};
    const bool is_directory_there = ::fstat(index_.fd.get(), &index) == 0 && index.st_nlink > 0;
    return is_directory_there ? segment_.path : directory_;
}

base::Result<void> OutputFiles::check_disk(std::size_t size) const {
    struct stat status {};
    if (::fstat(segment_.fd.get(), &status) != 0 || status.st_nlink == 0)
        return base::system_error(base::concat(what_was_removed(), " was removed"), ENOENT);
    struct statvfs disk {};
    if (::fstatvfs(segment_.fd.get(), &disk) != 0) return {};
    if (disk.f_blocks == 0) return {};  // of a file system that does not know its size, such as ramfs
    const std::uint64_t free = std::uint64_t{disk.f_bavail} * disk.f_frsize;
    const std::uint64_t part = std::uint64_t{disk.f_blocks} * disk.f_frsize / part_left_free;
    if (free >= size + std::min(part, most_left_free)) return {};
    return base::system_error(base::concat("too little of the disk of ", directory_, " is free"), ENOSPC);
}

base::Result<std::size_t> OutputFiles::rewrite(std::uint32_t segment,
                                               const std::function<std::string(std::string_view)>& change) {
    const std::string path = segment_path(segment);
    auto old = whole_text(path);
    if (!old) return old.error();
    const std::string text = change(*old);
    if (segment == number_) number_ = 0;
    if (text.empty()) {
        if (::unlink(path.c_str()) != 0) return base::system_error(base::concat("cannot remove ", path));
        return std::size_t{0};
    }
    const std::string temporary = directory_ + "/rewritten";
    auto fd = create(temporary, O_TRUNC);
    if (!fd) return fd.error();
    auto written = write_whole(fd->get(), temporary, 0, text);
    if (written && ::rename(temporary.c_str(), path.c_str()) != 0)
        written = base::system_error(base::concat("cannot replace ", path));
    if (written) return text.size();
    ::unlink(temporary.c_str());
    return written.error();
}

std::string OutputFiles::segment_path(std::uint32_t segment) const {
    return base::concat(directory_, "/", segment, ".segment");
}

}  // namespace runner
