// The messages of JSON-RPC 2.0 as text: read, and written. Pure.
#pragma once

#include "json/json.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace mcp {

enum class ErrorCode {
    parse_error = -32700,
    invalid_request = -32600,
    method_not_found = -32601,
    invalid_params = -32602,
    internal_error = -32603,
    resource_not_found = -32002,   // up to revision 2025-11-25
    unsupported_version = -32022,  // from revision 2026-07-28 on
};

struct Message {
    enum class Kind { request, notification, response, invalid };
    Kind kind = Kind::invalid;
    std::string id;  // the JSON text of a string or an integer; empty if there is none, or it is neither
    std::string method;
    std::optional<json::View> params;  // of any kind; as valid as the text
    std::string problem;               // of an invalid one
};

Message read_message(json::View value);

// Whether this may identify a request, or its progress: a string or an integer.
bool is_identifier(json::View value);

// `result`, `params` and `data` are JSON. The id is that of a Message.
std::string result_message(std::string_view id, std::string_view result);
// Has no id if `id` is empty, as a message that could not be read demands. `data` may be empty.
std::string error_message(std::string_view id, ErrorCode code, std::string_view message,
                          std::string_view data = {});
std::string notification_message(std::string_view method, std::string_view params);

}  // namespace mcp
