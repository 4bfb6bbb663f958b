// The token of `barnum serve`, which says that a request comes from the owner, and the cookie that stands for
// it in a browser. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace web {

enum class Credential { none, wrong, right };

class AccessToken {
  public:
    // `token` is a secret of at least 256 bits. The cookie's name contains the port: browsers send a cookie
    // to all ports of a host, so two servers would otherwise replace each other's cookie.
    AccessToken(std::string token, std::uint16_t port);

    // Both take a time that depends on the lengths only.
    bool is_token(std::string_view text) const;
    // Looks for the cookie in the field Cookie of a request.
    Credential in_cookies(std::string_view field) const;

    // The value of a field Set-Cookie. `is_secure`: the page is reached by TLS.
    std::string set_cookie(bool is_secure) const;

  private:
    std::string token_;
    std::string cookie_name_;
    // Derived from the token, so that pages stay logged in when the server starts again. The token cannot be
    // derived from it.
    std::string cookie_value_;
};

}  // namespace web
