// What the codes and words of Claude Code's failures mean. For this room only.
#pragma once

#include "agent_driver/actions.hpp"

#include <optional>
#include <string_view>

namespace agent_driver {

// The member "subtype" of a result.
std::optional<FailureKind> claude_kind_of_subtype(std::string_view subtype);
// The member "error" of a message that stands for a failed request.
std::optional<FailureKind> claude_kind_of_code(std::string_view code);
// Whether a result that is an error tells, without a code, of a page in the place of an answer: that of a
// network which wants a login, for example.
bool is_malformed_answer(std::string_view result);

}  // namespace agent_driver
