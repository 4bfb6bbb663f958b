// Who may use the web page: whatever the fields of a request are, only the token or its cookie opens it, only
// a right host and origin are let in, and a field is judged in the same way at every time.
#include "web/access.hpp"

#include "fuzz.hpp"

#include <string>
#include <vector>

namespace {

using fuzz::must;

const std::string token(64, 'a');

web::Access make_access() {
    web::Site site{*http::parse_address("192.168.1.7:7420"), false, {"box.example"}};
    return {web::AccessToken(token, 7420), site};
}

// One field a line: "Name: value".
http::Request request_of(std::string_view input) {
    http::Request request;
    while (!input.empty()) {
        std::string_view line = input.substr(0, input.find('\n'));
        input.remove_prefix(std::min(line.size() + 1, input.size()));
        std::size_t colon = std::min(line.find(": "), line.size());
        std::string_view value = line.substr(std::min(colon + 2, line.size()));
        request.fields.emplace_back(line.substr(0, colon), value);
    }
    return request;
}

bool is_answered(const web::Access& access, const http::Request& request, web::Needs needs) {
    return !access.refusal(request, needs);
}

bool contains(const http::Request& request, std::string_view text) {
    for (const auto& [name, value] : request.fields)
        if (value.find(text) != std::string::npos) return true;
    return false;
}

std::string cookie_value(const web::Access& access) {
    std::string set = access.set_cookie();
    std::size_t equals = set.find('=');
    return set.substr(equals + 1, set.find(';') - equals - 1);
}

bool is_known_host(std::string_view host) {
    if (host.empty()) return true;
    auto parsed = http::parse_host(host);
    if (!parsed) return false;
    if (parsed->ip) return parsed->ip->is_loopback() || parsed->ip->to_string() == "192.168.1.7";
    std::string name = parsed->name;
    for (char& c : name)
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    return name == "box.example";
}

void check_answered(const web::Access& access, const http::Request& request) {
    must(is_known_host(request.field("Host")), "only a known host is let in");
    must(contains(request, token) || contains(request, cookie_value(access)),
         "nothing but the secret opens it");
    std::string_view origin = request.field("Origin");
    must(origin.empty() || origin.size() == request.field("Host").size() + 7 ||
             origin.size() == request.field("Host").size() + 8,
         "an origin is that of the host");
}

}  // namespace

void fuzz::target(std::string_view input) {
    web::Access access = make_access();
    http::Request request = request_of(input);
    constexpr web::Needs reading{}, changing{.token = true, .change = true}, open{.token = false};
    bool is_open = is_answered(access, request, open);
    bool is_read = is_answered(access, request, reading);
    bool is_changed = is_answered(access, request, changing);
    must(!is_changed || is_read, "what may change may read");
    must(!is_read || is_open, "who has the token may have what everybody may");
    if (is_read) check_answered(access, request);
    must(is_read == is_answered(access, request, reading), "a request is judged the same each time");
    bool has_secret = contains(request, token);
    request.fields.emplace_back("Authorization", "Bearer " + token);
    must(!is_read || has_secret || request.field("Authorization") != "Bearer " + token ||
             is_answered(access, request, reading),
         "the token does no harm");
    must(access.login_refusal(input).has_value() == (input != token), "only the token logs in");
}
