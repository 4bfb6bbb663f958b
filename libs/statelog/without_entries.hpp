// Replays an earlier log without some of its entries (docs/state-log.md, "Retrying dropped tasks").
#pragma once

#include "base/error.hpp"
#include "io/file_pieces.hpp"
#include "statelog/replay.hpp"
#include "workflow/entry.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace statelog {

struct PartialReplay {
    Replay replay;
    std::vector<io::ByteRange> parts;  // of the file: all lines that were replayed, except the first one
};

// `fd` is a log that was replayed without an error; of it, the first `committed_bytes` are read (Tail). The
// entries for which `leaves_out` is true are skipped, so that the replay does not see them. Damage
// (is_damage()) means that the others are no history by themselves.
base::Result<PartialReplay> replay_without(int fd, const std::string& path, std::uint64_t committed_bytes,
                                           const std::function<bool(const workflow::Entry&)>& leaves_out);

}  // namespace statelog
