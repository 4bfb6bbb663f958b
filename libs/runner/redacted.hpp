// What comes to a run of its commands and agents, without secrets: here, before it is kept, logged, told or
// shortened. Responses and values are data, and stay as they are. Pure.
#pragma once

#include "output/redaction.hpp"
#include "pool_protocol/agent_activity.hpp"
#include "pool_protocol/answer.hpp"
#include "pool_protocol/command_task.hpp"
#include "workflow/entry.hpp"
#include "workflow/machine.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace runner {

// The text without secrets; unchanged if `redaction` is null.
std::string redacted(const output::Redaction* redaction, std::string_view text);

// Redacts in place; nothing changes if `redaction` is null.
void redact(const output::Redaction* redaction, pool_protocol::Answer& answer);
void redact(const output::Redaction* redaction, std::optional<pool_protocol::AgentActivity>& activity);
void redact(const output::Redaction* redaction, pool_protocol::CommandEnd& end);
void redact(const output::Redaction* redaction, workflow::AttemptResult& result);

// They are quoted to agents, as log lines quote them to people.
workflow::PreviousAttempts redacted(const output::Redaction* redaction,
                                    const workflow::PreviousAttempts& attempts);

}  // namespace runner
