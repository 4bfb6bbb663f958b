#include "io/file_pieces.hpp"

#include <algorithm>
#include <cerrno>
#include <string>
#include <unistd.h>

namespace io {

base::Result<std::uint64_t> read_pieces(int fd, ByteRange range,
                                        const std::function<base::Result<void>(std::string_view)>& take) {
    constexpr std::size_t piece_bytes = std::size_t{1} << 20;
    std::string piece(std::min<std::uint64_t>(piece_bytes, range.end - range.begin), '\0');
    std::uint64_t at = range.begin;
    while (at < range.end) {
        auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(piece.size(), range.end - at));
        ssize_t got = ::pread(fd, piece.data(), wanted, static_cast<off_t>(at));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return base::system_error("cannot read it");
        if (got == 0) break;
        auto size = static_cast<std::size_t>(got);
        if (auto taken = take(std::string_view(piece).substr(0, size)); !taken) return taken.error();
        at += size;
    }
    return at - range.begin;
}

}  // namespace io
