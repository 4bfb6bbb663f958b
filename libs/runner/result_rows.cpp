#include "runner/result_rows.hpp"

#include "base/text.hpp"
#include "io/file_calls.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace runner {

namespace {

constexpr std::size_t written_at_once = std::size_t{1} << 20;
constexpr std::time_t completed = 1'000'000'000;  // the time of a complete file: in 2001

base::Result<io::UniqueFd> create_for_rows(const std::string& path) {
    io::UniqueFd fd(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!fd) return base::system_error(base::concat("cannot create ", path));
    return fd;
}

}  // namespace

base::Result<ResultRows> ResultRows::create(std::string path) {
    auto fd = create_for_rows(path);
    if (!fd) return fd.error();
    return ResultRows(std::move(*fd), std::move(path));
}

ResultRows::ResultRows(ResultRows&& other) noexcept
    : fd_(std::move(other.fd_)),
      path_(std::exchange(other.path_, {})),
      buffer_(std::move(other.buffer_)),
      rows_(std::move(other.rows_)),
      size_(other.size_),
      is_sorted_(other.is_sorted_),
      sorted_(std::move(other.sorted_)),
      copied_(other.copied_) {}

ResultRows::~ResultRows() {
    if (path_.empty()) return;
    ::unlink(path_.c_str());
    if (sorted_) ::unlink(sorted_path().c_str());
}

base::Result<void> ResultRows::add(workflow::TaskId task, std::string_view row) {
    is_sorted_ = is_sorted_ && (rows_.empty() || rows_.back().task < task);
    rows_.push_back({task, size_, row.size() + 1});
    size_ += row.size() + 1;
    buffer_.append(row).push_back('\n');
    return buffer_.size() < written_at_once ? base::Result<void>() : flush(fd_.get());
}

base::Result<void> ResultRows::flush(int fd) {
    auto written = io::write_all(io::FileCalls::real(), fd, std::exchange(buffer_, {}));
    if (!written) return base::with_context(path_, written.error());
    return written;
}

base::Result<bool> ResultRows::finish_some() {
    if (!sorted_) {
        if (auto flushed = flush(fd_.get()); !flushed) return flushed.error();
        if (is_sorted_) {
            mark_complete();
            return true;
        }
        if (auto begun = begin_sorting(); !begun) return begun.error();
    }
    if (auto copied = copy_some(); !copied) return copied.error();
    if (copied_ < rows_.size()) return false;
    if (::rename(sorted_path().c_str(), path_.c_str()) != 0)
        return base::system_error(base::concat("cannot replace ", path_));
    is_sorted_ = true;
    fd_ = std::move(sorted_);
    mark_complete();
    return true;
}

// A time that no write gives it.
void ResultRows::mark_complete() const {
    const std::array<timespec, 2> times{timespec{0, UTIME_OMIT}, timespec{completed, 0}};
    ::futimens(fd_.get(), times.data());
}

bool ResultRows::is_unchanged() const {
    struct stat status {};
    return ::fstat(fd_.get(), &status) == 0 && status.st_nlink == 1 &&
           std::cmp_equal(status.st_size, size_) && status.st_mtim.tv_sec == completed &&
           status.st_mtim.tv_nsec == 0;
}

base::Result<void> ResultRows::begin_sorting() {
    std::ranges::sort(rows_, {}, &Row::task);
    auto fd = create_for_rows(sorted_path());
    if (!fd) return fd.error();
    sorted_ = std::move(*fd);
    return {};
}

base::Result<void> ResultRows::copy_some() {
    std::uint64_t size = 0;
    std::string row;
    for (; copied_ < rows_.size() && size < written_at_once; ++copied_) {
        const Row& next = rows_[copied_];
        row.resize(next.size);
        ssize_t got = ::pread(fd_.get(), row.data(), row.size(), static_cast<off_t>(next.offset));
        if (got != static_cast<ssize_t>(row.size()))
            return base::system_error(base::concat("cannot read ", path_));
        buffer_ += row;
        size += row.size();
    }
    return flush(sorted_.get());
}

}  // namespace runner
