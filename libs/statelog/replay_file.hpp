// Replays a state log from an open file of any size, in pieces.
#pragma once

#include "base/error.hpp"
#include "statelog/replay.hpp"

#include <functional>
#include <string>

namespace statelog {

struct ReplayedFile {
    Replay replay;
    Tail tail;
};

// Reads `fd`, a regular file, from its start; `path` is used in messages. If the log ends with a torn group,
// reads the part before it again; `observer` creates the observer of each pass. Damage is errc::bad_message.
base::Result<ReplayedFile> replay_file(int fd, const std::string& path,
                                       const std::function<Replay::Observer()>& observer = {});

}  // namespace statelog
