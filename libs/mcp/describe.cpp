#include "mcp/describe.hpp"

#include "base/text.hpp"
#include "json/json.hpp"
#include "mcp/excerpt.hpp"

#include <algorithm>

namespace mcp {

using base::concat;
using json::quote;

namespace {

constexpr std::size_t longest_failure = 30'000;  // bytes

// The most values of a completion that the protocol allows.
constexpr std::size_t most_values = 100;

std::string_view truth(bool value) {
    return value ? "true" : "false";
}

// A member with a text, with a comma before it; nothing if the text is empty.
std::string further(std::string_view name, std::string_view text) {
    return text.empty() ? "" : concat(",\"", name, "\":", quote(text));
}

std::string title_of(std::string_view title, Revision revision) {
    return has_structure(revision) ? further("title", title) : "";
}

std::string hints_of(const Tool& tool) {
    return concat(R"({"title":)", quote(tool.title), ",\"readOnlyHint\":", truth(tool.hints.is_read_only),
                  ",\"destructiveHint\":", truth(tool.hints.is_destructive),
                  ",\"idempotentHint\":", truth(tool.hints.is_idempotent),
                  ",\"openWorldHint\":", truth(tool.hints.is_open_world), "}");
}

std::string text_block(std::string_view text) {
    return concat(R"({"type":"text","text":)", quote(text), "}");
}

// The members of the object, without the braces.
std::string link(const Resource& resource, Revision revision) {
    return concat("\"uri\":", quote(resource.uri), ",\"name\":", quote(resource.name),
                  title_of(resource.title, revision), further("description", resource.description),
                  further("mimeType", resource.mime_type));
}

}  // namespace

std::string describe(const Tool& tool, Revision revision) {
    std::string output =
        has_structure(revision) ? concat(",\"outputSchema\":", tool.output_schema) : std::string();
    std::string annotations =
        revision >= Revision::r2025_03_26 ? concat(",\"annotations\":", hints_of(tool)) : std::string();
    return concat("{\"name\":", quote(tool.name), title_of(tool.title, revision),
                  further("description", tool.description), ",\"inputSchema\":", tool.input_schema, output,
                  annotations, "}");
}

std::string describe(const Prompt& prompt, Revision revision) {
    std::string arguments;
    for (const PromptArgument& argument : prompt.arguments)
        arguments += concat(arguments.empty() ? "" : ",", "{\"name\":", quote(argument.name),
                            further("description", argument.description),
                            ",\"required\":", truth(argument.is_required), "}");
    return concat("{\"name\":", quote(prompt.name), title_of(prompt.title, revision),
                  further("description", prompt.description), ",\"arguments\":[", arguments, "]}");
}

std::string describe(const Resource& resource, Revision revision) {
    return concat("{", link(resource, revision), "}");
}

std::string describe(const ResourceTemplate& resource, Revision revision) {
    return concat("{\"uriTemplate\":", quote(resource.uri_template), ",\"name\":", quote(resource.name),
                  title_of(resource.title, revision), further("description", resource.description),
                  further("mimeType", resource.mime_type), "}");
}

std::string server_info(const Offer& offer, Revision revision) {
    return concat("{\"name\":", quote(offer.name), title_of(offer.title, revision),
                  ",\"version\":", quote(offer.version), "}");
}

std::string capabilities(const Offer& offer, Revision revision) {
    std::string_view completions = revision >= Revision::r2025_03_26 ? R"(,"completions":{})" : "";
    std::string_view changes = offer.is_subscribable ? R"("subscribe":true,"listChanged":true)" : "";
    return concat(R"({"tools":{},"prompts":{},"resources":{)", changes, "}", completions, "}");
}

std::string cut(std::string_view text, std::size_t room) {
    std::string_view beginning = excerpt(text, room);
    return concat(beginning, beginning.size() < text.size() ? "…" : "");
}

std::string members_of(const ToolResult& result, Revision revision) {
    if (result.object.size() >= result_limit)
        return members_of(ToolFailure{concat("the result is too long: ", result.object.size(), " bytes")});
    std::string content = text_block(result.object);
    if (!has_structure(revision)) return concat("\"content\":[", content, "]");
    for (const Resource& resource : result.links)
        content += concat(R"(,{"type":"resource_link",)", link(resource, revision), "}");
    return concat("\"content\":[", content, "],\"structuredContent\":", result.object);
}

std::string members_of(const ToolFailure& failure) {
    return concat("\"content\":[", text_block(cut(failure.message, longest_failure)), "],\"isError\":true");
}

std::string members_of(const ResourceText& resource) {
    return concat("\"contents\":[{\"uri\":", quote(resource.uri), further("mimeType", resource.mime_type),
                  ",\"text\":", quote(resource.text), "}]");
}

std::string members_of(const PromptText& prompt) {
    return concat(R"("messages":[{"role":"user","content":)", text_block(prompt.text), "}]");
}

std::string members_of(const Completion& completion) {
    std::string values;
    std::size_t count = std::min(completion.values.size(), most_values);
    for (std::size_t i = 0; i < count; ++i)
        values += concat(i == 0 ? "" : ",", quote(completion.values[i]));
    return concat("\"completion\":{\"values\":[", values, "],\"total\":", completion.values.size(),
                  ",\"hasMore\":", truth(count < completion.values.size()), "}");
}

}  // namespace mcp
