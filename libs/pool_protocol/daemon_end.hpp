// How a daemon has ended: what it writes into its lock file instead of its process id. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pool_protocol {

struct DaemonEnd {
    bool has_drained = false;        // its agents have finished their tasks; false: it was stopped
    std::uint64_t kept_answers = 0;  // of its host's agents, which the engine has not got

    friend bool operator==(const DaemonEnd&, const DaemonEnd&) = default;
};

// {"kind":"Ended","drained":…,"kept_answers":…}
std::string to_json(const DaemonEnd& end);
// Nothing if the daemon runs or was killed, or its version does not write this: the text is its process id
// then.
std::optional<DaemonEnd> parse_daemon_end(std::string_view text);

// What to do about kept answers, of which there is at least one.
std::string kept_answers_warning(std::uint64_t kept);

}  // namespace pool_protocol
