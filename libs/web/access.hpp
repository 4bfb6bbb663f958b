// Which requests `barnum serve` answers: those of its owner, and none that a stranger's page has made the
// owner's browser send (docs/security.md, "The web page"). Pure.
#pragma once

#include "http/address.hpp"
#include "http/message.hpp"
#include "web/access_token.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace web {

// How the server is reached.
struct Site {
    http::Address address;  // on which it listens
    bool has_tls = false;
    std::vector<std::string>
        names;  // by which clients know this machine, besides its addresses and "localhost"
};

// What a request must have to be answered.
struct Needs {
    bool token = true;    // the cookie, or the field Authorization
    bool change = false;  // it changes something: it must be JSON, and come from no other site
};

struct Refusal {
    unsigned status;
    std::string sentence;
    bool is_of_wrong_token = false;  // to be sent only after `wrong_token_pause`
};

// With this pause, nobody tries more tokens a second than there are connections, and the owner, whose token
// is right, never waits.
constexpr std::chrono::seconds wrong_token_pause{1};

class Access {
  public:
    Access(AccessToken token, Site site);

    // Nothing if the request is to be answered.
    std::optional<Refusal> refusal(const http::Request& request, Needs needs) const;

    // The refusal of `POST /api/login`, which needs a `change` only. `text` is the token of the request.
    std::optional<Refusal> login_refusal(std::string_view text) const;
    // The value of the field Set-Cookie after a login.
    std::string set_cookie() const { return token_.set_cookie(site_.has_tls); }

  private:
    bool is_own_host(const http::Request& request) const;
    Credential credential(const http::Request& request) const;

    AccessToken token_;
    Site site_;
};

// What each response has besides what http::Server adds.
const http::Fields& security_fields();

// What is wrong with listening at this address: other machines can reach it, and there is neither TLS nor
// `is_insecure`, the user's word that this is meant. The sentence names the options of `barnum serve`.
base::Result<void> check_listening(const http::Address& address, bool has_tls, bool is_insecure);
// The warning for a user who listens there without TLS; "" if only this machine can reach it.
std::string insecurity_warning(const http::Address& address, bool has_tls);

}  // namespace web
