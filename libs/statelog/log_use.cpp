#include "statelog/log_use.hpp"

#include "base/text.hpp"
#include "io/lock_holders.hpp"

#include <cerrno>
#include <sys/file.h>
#include <unistd.h>

namespace statelog {

namespace {

constexpr std::size_t first_piece = 4096;
constexpr std::size_t largest_piece = std::size_t{1} << 20;

}  // namespace

LogUse use_of(int fd) {
    int locked = 0;
    while ((locked = ::flock(fd, LOCK_SH | LOCK_NB)) != 0 && errno == EINTR) {
    }
    if (locked == 0) {
        ::flock(fd, LOCK_UN);
        return {};
    }
    if (errno != EWOULDBLOCK) return {Use::unknown, {}};
    return {Use::held, io::lock_holders(fd)};
}

base::Result<std::string> read_line(int fd, const std::string& path, std::uint64_t offset, std::size_t most) {
    std::string line;
    for (std::size_t piece = first_piece;; piece = std::min(2 * piece, largest_piece)) {
        std::size_t had = line.size();
        line.resize(had + piece);
        ssize_t got = 0;
        do {
            got = ::pread(fd, line.data() + had, piece, static_cast<off_t>(offset + had));
        } while (got < 0 && errno == EINTR);
        if (got < 0) return base::system_error(base::concat("cannot read the state log ", path));
        line.resize(had + static_cast<std::size_t>(got));
        auto end = line.find('\n', had);
        if (end != std::string::npos) {
            line.resize(end);
            return line;
        }
        if (got == 0) return base::invalid(base::concat(path, " was truncated while it was read"));
        if (line.size() > most)
            return base::invalid(base::concat(path, ": the line at byte ", offset, " is longer than ", most,
                                              " bytes: this is not a state log"));
    }
}

}  // namespace statelog
