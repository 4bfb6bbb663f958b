#include "json_schema/sample_format.hpp"

#include "base/text.hpp"

#include <algorithm>

namespace json_schema {

namespace {

std::string padded(std::size_t number, std::size_t width) {
    std::string digits = std::to_string(number);
    return std::string(width - std::min(width, digits.size()), '0') + digits;
}

std::string date(std::size_t variation) {
    return base::concat("2024-01-", padded(1 + variation % 28, 2));
}

std::string time(std::size_t variation) {
    return base::concat("12:00:", padded(variation % 60, 2), "Z");
}

std::string uuid(std::size_t variation) {
    return base::concat("00000000-0000-4000-8000-", padded(variation, 12));
}

// The text before and after the variation's number, for a format.
struct FormatTemplate {
    std::string_view format;
    std::string_view before;
    std::string_view behind;
};

constexpr FormatTemplate templates[] = {
    {"duration", "PT", "S"},
    {"email", "user", "@example.com"},
    {"hostname", "host", ".example.com"},
    {"ipv6", "2001:db8::", ""},
    {"json-pointer", "/member", ""},
    {"regex", "^text", "$"},
    {"uri", "https://example.com/", ""},
    {"uri-reference", "/", ""},
};

}  // namespace

std::optional<std::string> sample_format(std::string_view format, std::size_t variation) {
    if (format == "date") return date(variation);
    if (format == "time") return time(variation);
    if (format == "date-time") return base::concat(date(variation), "T", time(variation));
    if (format == "uuid") return uuid(variation);
    if (format == "ipv4") return base::concat("192.0.2.", 1 + variation % 254);
    auto found = std::ranges::find(templates, format, &FormatTemplate::format);
    if (found == std::end(templates)) return std::nullopt;
    return base::concat(found->before, 1 + variation % 9999, found->behind);
}

}  // namespace json_schema
