// The client's side of TLS 1.2 and 1.3: whom to trust, who this client is, and which name the server's
// certificate must have. The connections are the caller's.
#pragma once

#include "base/error.hpp"
#include "tls/certificate.hpp"

#include <boost/asio/ssl/context.hpp>
#include <boost/system/error_code.hpp>

#include <memory>
#include <openssl/types.h>
#include <string>

namespace tls {

struct ClientFiles {
    std::string authorities;  // PEM: certificates of the authorities to trust; "": those of the system
    Files own;                // the client's certificate and key; both "": none
};

// Reads the files. An error names the file and says what to do. Blocking.
base::Result<std::shared_ptr<boost::asio::ssl::context>> load_client(const ClientFiles& files);

// To be called before the handshake. `name` is a host's name or an IP address: the server's certificate must
// be for it.
void expect_server(SSL& connection, const std::string& name);

// Why the connection, or its handshake, has failed: "its certificate has expired", "its certificate is not of
// an authority in ca.pem". To stand behind the server's address.
std::string problem_text(const SSL& connection, boost::system::error_code failure, const ClientFiles& files,
                         const std::string& name);

}  // namespace tls
