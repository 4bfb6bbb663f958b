// The offer and the outcomes of calls, as the members of results. Pure.
#pragma once

#include "mcp/call.hpp"
#include "mcp/offer.hpp"
#include "mcp/revision.hpp"

#include <string>
#include <vector>

namespace mcp {

// Each of these returns a JSON object.
std::string describe(const Tool& tool, Revision revision);
std::string describe(const Prompt& prompt, Revision revision);
std::string describe(const Resource& resource, Revision revision);
std::string describe(const ResourceTemplate& resource, Revision revision);
std::string server_info(const Offer& offer, Revision revision);
std::string capabilities(const Offer& offer, Revision revision);

// The text; of a text that would have more than `room` bytes as a JSON string, the beginning and "…".
std::string cut(std::string_view text, std::size_t room);

// The members of an object, without the braces around them: `"content":[…],"isError":true`.
std::string members_of(const ToolResult& result, Revision revision);
std::string members_of(const ToolFailure& failure);
std::string members_of(const ResourceText& resource);
std::string members_of(const PromptText& prompt);
std::string members_of(const Completion& completion);

}  // namespace mcp
