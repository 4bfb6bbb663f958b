// What the codes and words of Claude Code's failures mean. For this room only.
#pragma once

#include "agent_driver/actions.hpp"
#include "json/json.hpp"

#include <optional>
#include <string_view>

namespace agent_driver {

// The member "subtype" of a result.
std::optional<FailureKind> claude_kind_of_subtype(std::string_view subtype);
// The member "error" of a message that stands for a failed request.
std::optional<FailureKind> claude_kind_of_code(std::string_view code);
// Whether the provider has refused the prompt for its length, or the program has not even sent it.
bool is_too_long(std::string_view terminal_reason);
// Whether a result that is an error tells, without a code, of something else in the place of an answer: the
// page of a network which wants a login, or a stream that breaks off.
bool is_malformed_answer(std::string_view result);
// Whether the result of a tool, which is an error, says that the program did not let the model use it.
bool is_claude_refusal(std::string_view result);
// The failure that a message tells of whose request is tried again.
Failure claude_retried_failure(json::View message);

}  // namespace agent_driver
