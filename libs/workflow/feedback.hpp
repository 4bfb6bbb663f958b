// What an attempt is told of the attempts before it, so that it does not make their mistakes again
// (docs/retries.md, "Retries that learn"). Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace workflow {

struct PreviousAttempt {
    std::uint32_t attempt;                // 1, 2, …
    std::string error;                    // the message of its failure, as feedback_text()
    std::optional<std::string> response;  // what the action had answered, as feedback_text(); may be unknown

    friend bool operator==(const PreviousAttempt&, const PreviousAttempt&) = default;
};

// The last ones, the oldest first; null if there are none.
using PreviousAttempts = std::shared_ptr<const std::vector<PreviousAttempt>>;

// The largest number of them.
inline constexpr std::size_t previous_attempts_kept = 3;
// The largest size in bytes of an error or a response.
inline constexpr std::size_t most_feedback = std::size_t{16} << 10;

// `text` without white space at its end, as valid UTF-8, with U+FFFD for other bytes. Of a long text, it has
// the beginning and the end, with a note between them that begins with "…". Does not change its own results.
std::string feedback_text(std::string_view text);

// `before` and one more, of which the last ones are kept. The texts of `last` may be of any length.
PreviousAttempts with_attempt(const PreviousAttempts& before, PreviousAttempt last);

// [{"attempt":1,"error":"…","response":"…"},…]; an unknown response is null.
std::string to_json(const std::vector<PreviousAttempt>& attempts);

// The last section of an agent's instructions, in markdown, which tells the same in words.
std::string feedback_section(const std::vector<PreviousAttempt>& attempts);

}  // namespace workflow
