// A Command as the content of a submission, and how it ended as the response: what a run with a step `"on":
// "pool"` and agents of the kind shell exchange (docs/troupe-protocol.md, "Commands"). Pure.
#pragma once

#include "base/error.hpp"
#include "base/spliced_text.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pool_protocol {

// Not an aggregate, because it travels through coroutines (see Request).
struct CommandTask {
    CommandTask() = default;

    std::string script;  // for `sh -c`
    std::vector<std::pair<std::string, std::string>> variables;
    // What the script finds in the file that BARNUM_PREVIOUS_ATTEMPTS names: JSON text; empty: no such file.
    std::string previous_attempts;
    std::size_t max_output = std::size_t{64} << 20;  // bytes of stdout; more ends the script
    std::string timeout;                             // seconds, as a JSON number; empty: none
};

// One object. `input`, JSON text, is what the script gets on stdin.
base::SplicedText command_content(const CommandTask& task, base::SplicedText input);

struct ParsedCommand {
    CommandTask task;
    std::string input;
};
// The error says why an agent must not run the content: it is no Command, of a version that is not known, or
// something in it could not be passed on to a shell. Unknown members are ignored.
base::Result<ParsedCommand> parse_command(std::string_view content);

// How the script has ended. Not an aggregate, as above.
struct CommandEnd {
    CommandEnd() = default;

    enum class How : std::uint8_t {
        exited,           // `code` is the exit code
        signalled,        // `code` is the signal
        timed_out,        // and was ended
        too_much_output,  // and was ended
        not_started,      // `message` says why
    };
    How how = How::exited;
    int code = 0;
    std::string message;
    std::string output;        // stdout
    std::string error_output;  // stderr, of which a part may be left out
    std::chrono::microseconds cpu{};
    std::optional<std::uint64_t> peak_memory;  // bytes
};

// A line with an object, and after it all of stdout, unchanged.
std::string to_text(const CommandEnd& end);
// Nothing if the text is something else.
std::optional<CommandEnd> parse_command_end(std::string_view text);

}  // namespace pool_protocol
