// What a server offers its clients. Plain data, fixed for the life of the server, except for the list of its
// resources, which is asked for by a call (mcp/call).
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace mcp {

// What a call of a tool may do. Clients ask their user, or don't, according to it.
struct Hints {
    bool is_read_only = false;    // changes nothing
    bool is_destructive = false;  // may remove or replace something
    bool is_idempotent = false;   // a second equal call changes nothing more
    bool is_open_world = false;   // may reach anything, such as other machines
};

struct Tool {
    std::string name;
    std::string title;
    std::string description;
    std::string input_schema;   // JSON Schemas of objects
    std::string output_schema;  // of the structured result
    Hints hints;
    bool waits = false;  // a call may wait for something, and is cancelled when the client has gone
};

struct Resource {
    std::string uri;
    std::string name;
    std::string title;
    std::string description;
    std::string mime_type;
};

struct ResourceTemplate {
    std::string uri_template;  // RFC 6570: "troupe://tasks/{id}"
    std::string name;
    std::string title;
    std::string description;
    std::string mime_type;
};

struct PromptArgument {
    std::string name;
    std::string description;
    bool is_required = false;
};

struct Prompt {
    std::string name;
    std::string title;
    std::string description;
    std::vector<PromptArgument> arguments;
};

struct Offer {
    std::string name;  // of the server, for programs
    std::string title;
    std::string version;
    std::string instructions;  // for the model
    std::vector<Tool> tools;
    std::vector<Prompt> prompts;
    std::vector<ResourceTemplate> templates;
    // Whether clients may subscribe to this resource, and it is there. May look, but must not wait. Empty if
    // there is none to subscribe to, and the list of resources is never announced to have changed.
    std::function<bool(std::string_view uri)> is_subscribable;
    std::size_t page = 50;                                // the most entries of a list in one answer
    std::size_t longest_message = std::size_t{16} << 20;  // to the server, in bytes
};

}  // namespace mcp
