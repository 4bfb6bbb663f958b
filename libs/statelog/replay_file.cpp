#include "statelog/replay_file.hpp"

#include "base/text.hpp"
#include "io/file_pieces.hpp"

#include <utility>

namespace statelog {

namespace {

// Replays the first `most` bytes of the file, or the whole file if it is shorter.
base::Result<ReplayedFile> replay_once(int fd, const std::string& path, Replay replay, std::uint64_t most) {
    auto read = io::read_pieces(fd, {0, most}, [&](std::string_view piece) { return replay.feed(piece); });
    if (!read && is_damage(read.error())) return read.error();
    if (!read) return base::with_context(base::concat("the state log ", path), read.error());
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
