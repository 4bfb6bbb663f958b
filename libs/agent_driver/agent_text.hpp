// Agents as a text, as in `barnum run --agent`: KIND[=COUNT][,KEY=VALUE…], for example
// "claude=3,model=opus,labels=writer,labels=fast". The keys are the settings of setting_table.hpp; that of a
// list is repeated for each element. In a value, "\," is a comma and "\\" a backslash. Pure.
#pragma once

#include "agent_driver/settings.hpp"
#include "base/error.hpp"

#include <string>
#include <string_view>

namespace agent_driver {

// The error says what is wrong and what is allowed. The result need not pass check().
base::Result<AgentGroup> parse_agent_text(std::string_view text);

// parse_agent_text() makes an equal group from it. Settings that have their default are left out.
std::string agent_text(const AgentGroup& group);

}  // namespace agent_driver
