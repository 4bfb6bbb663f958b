// What `troupe mcp` offers: its tools, prompts and templates of resources, with their texts. Pure.
#pragma once

#include "mcp/offer.hpp"

#include <string>
#include <string_view>

namespace pool_tools {

inline constexpr std::string_view mcp_status_uri = "troupe://status";
inline constexpr std::string_view mcp_task_prefix = "troupe://tasks/";

mcp::Offer mcp_offer(std::string_view pool);

// The text of the prompt `be_an_agent`; `count` of tasks, or empty: until the person says stop.
std::string be_an_agent(std::string_view count);

}  // namespace pool_tools
