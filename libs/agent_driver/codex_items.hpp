// What the items of a conversation with Codex are to do. For this room only.
#pragma once

#include "json/json.hpp"

#include <string>
#include <string_view>

namespace agent_driver {

// The text of the item as an activity; empty if the item is none.
std::string codex_activity(json::View item, std::string_view directory);
// Does what codex_activity() does, for a call in the raw messages of the conversation.
std::string codex_call(json::View item, std::string_view directory);

}  // namespace agent_driver
