#include "statelog/replay_file.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <cerrno>
#include <unistd.h>
#include <utility>

namespace statelog {

namespace {

constexpr std::size_t piece_bytes = std::size_t{1} << 20;

// The first `most` bytes of the file, or all there are.
base::Result<ReplayedFile> replay_once(int fd, const std::string& path, Replay replay, std::uint64_t most) {
    std::string piece(piece_bytes, '\0');
    std::uint64_t at = 0;
    while (at < most) {
        auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(piece.size(), most - at));
        ssize_t got = ::pread(fd, piece.data(), wanted, static_cast<off_t>(at));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return base::system_error(base::concat("cannot read the state log ", path));
        if (got == 0) break;
        auto size = static_cast<std::size_t>(got);
        if (auto fed = replay.feed(std::string_view(piece).substr(0, size)); !fed) return fed.error();
        at += size;
    }
    auto tail = replay.finish();
    if (!tail) return tail.error();
    return ReplayedFile{std::move(replay), *tail};
}

}  // namespace

base::Result<ReplayedFile> replay_file(int fd, const std::string& path,
                                       const std::function<Replay::Observer()>& observer) {
    auto make = [&] { return Replay(path, observer ? observer() : Replay::Observer()); };
    auto whole = replay_once(fd, path, make(), UINT64_MAX);
    if (!whole || !whole->tail.torn_group) return whole;
    auto committed = replay_once(fd, path, make(), whole->tail.committed_bytes);
    if (committed) committed->tail = whole->tail;
    return committed;
}

}  // namespace statelog
