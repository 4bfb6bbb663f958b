#include "mcp/message.hpp"

#include "base/text.hpp"

namespace mcp {

namespace {

constexpr std::string_view head = R"({"jsonrpc":"2.0",)";

Message invalid(std::string id, std::string problem) {
    Message message;
    message.id = std::move(id);
    message.problem = std::move(problem);
    return message;
}

}  // namespace

bool is_identifier(json::View value) {
    if (value.is(json::Kind::string)) return true;
    return value.is(json::Kind::number) && value.text().find_first_of(".eE") == std::string_view::npos;
}

Message read_message(json::View value) {
    if (!value.is(json::Kind::object)) return invalid("", "a message must be an object");
    auto id = value.find("id");
    std::string id_text = id && is_identifier(*id) ? std::string(id->text()) : "";
    auto version = value.find("jsonrpc");
    if (!version || !version->is(json::Kind::string) || !version->is_string("2.0"))
        return invalid(id_text, R"("jsonrpc" must be "2.0")");
    auto method = value.find("method");
    if (!method && (value.find("result") || value.find("error"))) {
        Message response;
        response.kind = Message::Kind::response;
        return response;
    }
    if (!method || !method->is(json::Kind::string)) return invalid(id_text, R"("method" must be a string)");
    if (id && id_text.empty()) return invalid("", R"("id" must be a string or an integer)");
    Message message;
    message.kind = id ? Message::Kind::request : Message::Kind::notification;
    message.id = std::move(id_text);
    message.method = method->string();
    message.params = value.find("params");
    return message;
}

std::string result_message(std::string_view id, std::string_view result) {
    return base::concat(head, "\"id\":", id, ",\"result\":", result, "}");
}

std::string error_message(std::string_view id, ErrorCode code, std::string_view message,
                          std::string_view data) {
    std::string id_member = id.empty() ? "" : base::concat("\"id\":", id, ",");
    std::string data_member = data.empty() ? "" : base::concat(",\"data\":", data);
    return base::concat(head, id_member, "\"error\":{\"code\":", static_cast<int>(code),
                        ",\"message\":", json::quote(message), data_member, "}}");
}

std::string notification_message(std::string_view method, std::string_view params) {
    return base::concat(head, "\"method\":", json::quote(method), ",\"params\":", params, "}");
}

}  // namespace mcp
