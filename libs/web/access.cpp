#include "web/access.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <string_view>

namespace web {

namespace {

constexpr std::string_view bearer = "Bearer ";

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool is_same(std::string_view a, std::string_view b) {
    return std::ranges::equal(a, b, {}, lower, lower);
}

bool starts_with(std::string_view text, std::string_view begin) {
    return is_same(text.substr(0, begin.size()), begin);
}

// A page of this server, or no page. What a browser says of itself cannot be changed by a page.
bool is_of_this_site(const http::Request& request) {
    std::string_view relation = request.field("Sec-Fetch-Site");
    if (!relation.empty() && relation != "same-origin" && relation != "none") return false;
    std::string_view origin = request.field("Origin");
    if (origin.empty()) return true;
    std::size_t scheme = starts_with(origin, "https://") ? 8 : starts_with(origin, "http://") ? 7 : 0;
    return scheme != 0 && is_same(origin.substr(scheme), request.field("Host"));
}

// A form of a stranger's page cannot have this type.
bool is_json(const http::Request& request) {
    std::string_view type = request.field("Content-Type");
    return is_same(type.substr(0, type.find(';')), "application/json");
}

Refusal wrong_token() {
    return {401, "The token is wrong. The right one is in the URL that `barnum serve` prints.", true};
}

std::optional<Refusal> credential_refusal(Credential credential) {
    if (credential == Credential::right) return std::nullopt;
    if (credential == Credential::wrong) return wrong_token();
    return Refusal{401,
                   "This needs a login: open the URL that `barnum serve` prints, or send the field "
                   "`Authorization: Bearer TOKEN`."};
}

}  // namespace

Access::Access(AccessToken token, Site site) : token_(std::move(token)), site_(std::move(site)) {}

std::optional<Refusal> Access::refusal(const http::Request& request, Needs needs) const {
    if (!is_own_host(request))
        return Refusal{403,
                       "The field Host does not name this server: use its address, localhost, or a name that "
                       "`barnum serve` was told."};
    bool is_public = !needs.token && !needs.change;
    if (is_public) return std::nullopt;
    if (!is_of_this_site(request)) return Refusal{403, "A page of another site has sent this request."};
    if (needs.change && !is_json(request))
        return Refusal{415, "The field Content-Type must be application/json."};
    if (!needs.token) return std::nullopt;
    return credential_refusal(credential(request));
}

std::optional<Refusal> Access::login_refusal(std::string_view text) const {
    if (token_.is_token(text)) return std::nullopt;
    return wrong_token();
}

// A page of a stranger, whose name resolves to this machine (DNS rebinding), has its own name there.
bool Access::is_own_host(const http::Request& request) const {
    auto is_host = [](const auto& field) { return is_same(field.first, "Host"); };
    if (std::ranges::count_if(request.fields, is_host) > 1) return false;
    std::string_view field = request.field("Host");
    if (field.empty()) return true;
    auto host = http::parse_host(field);
    if (!host) return false;
    if (host->ip)
        return host->ip->is_loopback() || host->ip == site_.address.address() ||
               site_.address.address().is_unspecified();
    return std::ranges::any_of(site_.names,
                               [&](const std::string& name) { return is_same(name, host->name); });
}

Credential Access::credential(const http::Request& request) const {
    std::string_view authorization = request.field("Authorization");
    if (!authorization.empty()) {
        bool is_bearer = starts_with(authorization, bearer);
        bool is_right = is_bearer && token_.is_token(authorization.substr(bearer.size()));
        return is_right ? Credential::right : Credential::wrong;
    }
    Credential found = Credential::none;
    for (const auto& [name, value] : request.fields)
        if (is_same(name, "Cookie")) found = std::max(found, token_.in_cookies(value));
    return found;
}

const http::Fields& security_fields() {
    static const http::Fields fields = {
        {"Content-Security-Policy",
         "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
         "font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
        {"Referrer-Policy", "no-referrer"},
        {"Cross-Origin-Opener-Policy", "same-origin"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
    };
    return fields;
}

base::Result<void> check_listening(const http::Address& address, bool has_tls, bool is_insecure) {
    if (has_tls || is_insecure || address.address().is_loopback()) return {};
    return base::invalid(base::concat("other machines can reach ", http::address_text(address),
                                      ", and without TLS everybody on the network between can read the token "
                                      "and what the page shows, and act "
                                      "as you: give --tls-cert and --tls-key; or listen at 127.0.0.1, and "
                                      "forward the port with `ssh -L`; or "
                                      "give --insecure, if you trust everybody on that network"));
}

std::string insecurity_warning(const http::Address& address, bool has_tls) {
    if (has_tls || address.address().is_loopback()) return {};
    return base::concat(
        "other machines can reach ", http::address_text(address),
        ", and there is no TLS (--insecure): everybody on the network between can read the token and "
        "what the page shows, and act as you");
}

}  // namespace web
