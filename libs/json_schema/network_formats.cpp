#include "json_schema/network_formats.hpp"

#include <boost/url/ipv4_address.hpp>
#include <boost/url/ipv6_address.hpp>
#include <boost/url/parse.hpp>

#include <algorithm>

namespace json_schema {

namespace {

bool is_alphanumeric(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

boost::core::string_view for_boost(std::string_view text) {
    return {text.data(), text.size()};
}

// Whether all parts between the dots satisfy the predicate; there is at least one part.
bool all_labels(std::string_view text, bool (*fits)(std::string_view)) {
    for (;;) {
        std::size_t dot = text.find('.');
        if (!fits(text.substr(0, dot))) return false;
        if (dot == std::string_view::npos) return true;
        text.remove_prefix(dot + 1);
    }
}

bool is_host_label(std::string_view label) {
    constexpr std::size_t longest = 63;
    return !label.empty() && label.size() <= longest && label.front() != '-' && label.back() != '-' &&
           std::ranges::all_of(label, [](char c) { return is_alphanumeric(c) || c == '-'; });
}

bool is_atom(std::string_view text) {
    constexpr std::string_view special = "!#$%&'*+-/=?^_`{|}~";
    return !text.empty() && std::ranges::all_of(text, [&](char c) {
        return is_alphanumeric(c) || special.find(c) != std::string_view::npos;
    });
}

bool is_quoted(std::string_view text) {
    if (text.size() < 2 || text.front() != '"' || text.back() != '"') return false;
    text = text.substr(1, text.size() - 2);
    auto is_printable = [](char c) { return c >= ' ' && c <= '~'; };
    for (std::size_t i = 0; i < text.size(); ++i) {
        bool escapes = text[i] == '\\';
        if (escapes && ++i == text.size()) return false;
        if (!is_printable(text[i]) || (text[i] == '"' && !escapes)) return false;
    }
    return true;
}

bool is_mail_domain(std::string_view domain) {
    if (!domain.starts_with('[') || !domain.ends_with(']')) return is_hostname(domain);
    domain = domain.substr(1, domain.size() - 2);
    constexpr std::string_view tag = "IPv6:";
    return domain.starts_with(tag) ? is_ipv6(domain.substr(tag.size())) : is_ipv4(domain);
}

}  // namespace

bool is_email(std::string_view text) {
    constexpr std::size_t longest_local_part = 64;
    std::size_t at = text.rfind('@');
    if (at > longest_local_part) return false;  // npos as well
    std::string_view local = text.substr(0, at);
    return (is_quoted(local) || all_labels(local, is_atom)) && is_mail_domain(text.substr(at + 1));
}

bool is_hostname(std::string_view text) {
    constexpr std::size_t longest = 253;
    return text.size() <= longest && all_labels(text, is_host_label);
}

bool is_ipv4(std::string_view text) {
    return boost::urls::parse_ipv4_address(for_boost(text)).has_value();
}

bool is_ipv6(std::string_view text) {
    return boost::urls::parse_ipv6_address(for_boost(text)).has_value();
}

bool is_uri(std::string_view text) {
    return boost::urls::parse_uri(for_boost(text)).has_value();
}

bool is_uri_reference(std::string_view text) {
    return boost::urls::parse_uri_reference(for_boost(text)).has_value();
}

}  // namespace json_schema
