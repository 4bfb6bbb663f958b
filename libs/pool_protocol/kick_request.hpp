// The request to kick agents, {"kind":"Kick","agent":…}, and its answer (docs/troupe-protocol.md, "Kicks").
#pragma once

#include "base/error.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pool_protocol {

// `agent`: the name or the id of an agent; all that have this name are meant.
std::string kick_request(std::string_view agent);
// The agent; nothing if the frame is no such request.
std::optional<std::string> parse_kick_request(std::string_view frame);

struct KickedAgent {
    enum class How {
        dismissed,   // it had no task
        told,        // to end its work; then its task is queued again
        taken_from,  // its task is queued again, and its response will be ignored
        ending,      // it was told to end its work before
    };
    std::string id;
    std::string name;  // may be empty
    How how = How::dismissed;
};

std::string kick_answer(const std::vector<KickedAgent>& agents);
// Fails if the daemon is of a version that does not know the request, or if the text is not an answer.
base::Result<std::vector<KickedAgent>> parse_kick_answer(std::string_view text);

// "dismissed", "told", "taken_from", "ending"
std::string_view how_name(KickedAgent::How how);

}  // namespace pool_protocol
