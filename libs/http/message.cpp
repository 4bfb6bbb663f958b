#include "http/message.hpp"

#include <algorithm>

namespace http {

namespace {

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool is_same_name(std::string_view a, std::string_view b) {
    return std::ranges::equal(a, b, {}, lower, lower);
}

}  // namespace

std::string_view Request::path() const {
    return std::string_view(target).substr(0, target.find('?'));
}

std::string_view Request::field(std::string_view name) const {
    for (const auto& [field_name, value] : fields)
        if (is_same_name(field_name, name)) return value;
    return {};
}

Response text_response(unsigned status, std::string text) {
    Response response;
    response.status = status;
    response.body = std::move(text) + "\n";
    return response;
}

Response method_not_allowed(std::string_view allowed) {
    Response response = text_response(405, "This method is not allowed here.");
    response.fields.emplace_back("Allow", allowed);
    return response;
}

}  // namespace http
