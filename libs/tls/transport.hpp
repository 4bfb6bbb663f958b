// HTTP over TLS 1.2 and 1.3, with a certificate and a private key from files. Only what speaks TLS uses
// this room, and so OpenSSL.
#pragma once

#include "base/error.hpp"
#include "http/server.hpp"
#include "tls/certificate.hpp"

#include <string>
#include <vector>

namespace tls {

struct Loaded {
    http::Transport transport;
    std::vector<std::string> names;  // of hosts, in the certificate; without those with a wildcard
    std::string warning;  // a sentence about a certificate that clients will refuse; "" if there is none
};

// Reads both files, once. An error names the file and says what to do. Blocking.
base::Result<Loaded> load(const Files& files);

}  // namespace tls
