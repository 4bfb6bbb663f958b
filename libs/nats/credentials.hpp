// Who this client is for NATS servers, from files: a user with a password, a key, or a user's token (JWT)
// with a key. Blocking.
#pragma once

#include "base/error.hpp"
#include "nats/session.hpp"

#include <chrono>
#include <string>
#include <string_view>

namespace nats {

// Either `user` and `password_file`, or `creds_file`, or nothing.
struct CredentialFiles {
    std::string user;
    std::string password_file;  // the password, without the line feed at its end
    std::string creds_file;     // as `nsc` writes it: a user's JWT and its seed; or the seed alone
};

// Reads the files. An error names the file and says what to do, and contains no secret. `now` is compared
// with the end of a JWT.
base::Result<Authenticate> load_credentials(const CredentialFiles& files,
                                            std::chrono::system_clock::time_point now);

// What a .creds file holds.
struct Creds {
    std::string jwt;  // may be empty
    std::string seed;
};
// Pure. `name` is what the error calls the file.
base::Result<Creds> parse_creds(std::string_view text, std::string_view name);

}  // namespace nats
