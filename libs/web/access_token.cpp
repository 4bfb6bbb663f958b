#include "web/access_token.hpp"

#include "base/hex.hpp"
#include "base/text.hpp"

#include <array>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

namespace web {

namespace {

bool is_equal(std::string_view a, std::string_view b) {
    return a.size() == b.size() && ::CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

std::string derived(std::string_view token) {
    constexpr std::string_view purpose = "barnum serve: session cookie";
    std::array<unsigned char, EVP_MAX_MD_SIZE> bytes{};
    unsigned length = 0;
    ::HMAC(::EVP_sha256(), token.data(), static_cast<int>(token.size()),
           reinterpret_cast<const unsigned char*>(purpose.data()), purpose.size(), bytes.data(), &length);
    return base::to_hex({reinterpret_cast<const char*>(bytes.data()), length});
}

std::string_view without_spaces(std::string_view text) {
    while (text.starts_with(' '))
        text.remove_prefix(1);
    while (text.ends_with(' '))
        text.remove_suffix(1);
    return text;
}

}  // namespace

AccessToken::AccessToken(std::string token, std::uint16_t port)
    : token_(std::move(token)), cookie_name_(base::concat("barnum-", port)), cookie_value_(derived(token_)) {}

bool AccessToken::is_token(std::string_view text) const {
    return is_equal(text, token_);
}

// A page of another port can add a cookie of this name: beside the right one, a wrong one does not matter.
Credential AccessToken::in_cookies(std::string_view field) const {
    Credential found = Credential::none;
    while (!field.empty()) {
        std::size_t end = std::min(field.find(';'), field.size());
        std::string_view cookie = without_spaces(field.substr(0, end));
        field.remove_prefix(std::min(end + 1, field.size()));
        std::size_t equals = std::min(cookie.find('='), cookie.size());
        if (cookie.substr(0, equals) != cookie_name_ || equals == cookie.size()) continue;
        if (is_equal(cookie.substr(equals + 1), cookie_value_)) return Credential::right;
        found = Credential::wrong;
    }
    return found;
}

std::string AccessToken::set_cookie(bool is_secure) const {
    return base::concat(cookie_name_, "=", cookie_value_, "; Path=/; HttpOnly; SameSite=Strict",
                        is_secure ? "; Secure" : "");
}

}  // namespace web
