#include "json_schema/formats.hpp"

#include "json_schema/network_formats.hpp"
#include "json_schema/pattern.hpp"
#include "json_schema/time_formats.hpp"

#include <algorithm>

namespace json_schema {

namespace {

bool is_hex_digit(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

// RFC 9562, section 4; any version.
bool is_uuid(std::string_view text) {
    constexpr std::string_view form = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
    auto agrees = [](char c, char wanted) { return wanted == 'x' ? is_hex_digit(c) : c == wanted; };
    return std::ranges::equal(text, form, agrees);
}

// RFC 6901, section 3; not the form for URI fragments.
bool is_json_pointer(std::string_view text) {
    if (!text.empty() && text.front() != '/') return false;
    for (std::size_t at = text.find('~'); at != std::string_view::npos; at = text.find('~', at + 1)) {
        std::string_view escaped = text.substr(at + 1, 1);
        if (escaped != "0" && escaped != "1") return false;
    }
    return true;
}

bool is_regex(std::string_view text) {
    return Pattern::compile(text).has_value();
}

constexpr Format formats[] = {
    {"date", "a date as in RFC 3339", is_date},
    {"time", "a time as in RFC 3339", is_time},
    {"date-time", "a date-time as in RFC 3339", is_date_time},
    {"duration", "a duration as in RFC 3339, like \"PT15M\"", is_duration},
    {"email", "an email address", is_email},
    {"hostname", "a hostname", is_hostname},
    {"ipv4", "an IPv4 address", is_ipv4},
    {"ipv6", "an IPv6 address", is_ipv6},
    {"uri", "a URI, with its scheme", is_uri},
    {"uri-reference", "a URI or a relative reference", is_uri_reference},
    {"uuid", "a UUID", is_uuid},
    {"json-pointer", "a JSON pointer", is_json_pointer},
    {"regex", "a regular expression", is_regex},
};

}  // namespace

const Format* find_format(std::string_view name) {
    auto found = std::ranges::find(formats, name, &Format::name);
    return found == std::end(formats) ? nullptr : found;
}

}  // namespace json_schema
