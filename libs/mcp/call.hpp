// A request that the server's owner carries out, and what comes of it. Plain data.
#pragma once

#include "mcp/offer.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace mcp {

using CallId = std::uint64_t;

struct CallTool {
    std::string name;       // of a tool of the offer
    std::string arguments;  // the text of a JSON object, which nothing has checked against the schema
};
struct ListResources {};
struct ReadResource {
    std::string uri;
};
struct GetPrompt {
    std::string name;  // of a prompt of the offer; all its required arguments are there
    std::map<std::string, std::string> arguments;
};
// What could follow `value` in the argument of a prompt, or in the variable of a template.
struct Complete {
    std::string of;  // the prompt's name, or the template
    std::string argument;
    std::string value;
};
using Call = std::variant<CallTool, ListResources, ReadResource, GetPrompt, Complete>;

// The result of a tool must be shorter, in bytes: clients cut longer ones, each in a way of its own.
inline constexpr std::size_t result_limit = 40'000;

// Clients show their model either the object or its text, so the text is that of the object.
struct ToolResult {
    std::string object;  // JSON that matches the tool's output_schema
    std::vector<Resource> links;
};
// The tool could not do what it was asked for. The message says what to do instead.
struct ToolFailure {
    std::string message;
};
struct ResourceList {
    std::vector<Resource> resources;
};
struct ResourceText {
    std::string uri;
    std::string mime_type;
    std::string text;
};
struct PromptText {
    std::string text;
};
struct Completion {
    std::vector<std::string> values;
};
struct NotFound {  // the resource
    std::string uri;
    std::string why = {};  // and what to do; may be empty
};
struct InternalError {
    std::string message;
};
using Outcome = std::variant<ToolResult, ToolFailure, ResourceList, ResourceText, PromptText, Completion,
                             NotFound, InternalError>;

}  // namespace mcp
