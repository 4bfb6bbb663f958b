// The certificate and the private key with which this program shows who it is, from files.
#pragma once

#include "base/error.hpp"

#include <boost/asio/ssl/context.hpp>

#include <string>

namespace tls {

struct Files {
    std::string certificate;  // PEM: the certificate, and after it those of the authorities between
    std::string key;          // PEM, not encrypted. Only its owner and its group may read it
};

// Reads both files into the context. An error names the file and says what to do. `owner` is whose
// certificate it is: "server". Blocking.
base::Result<void> use_certificate(boost::asio::ssl::context& context, const Files& files,
                                   const std::string& owner);

// "the certificate cert.pem expired at …", or that it is not valid yet; "" if it is valid.
std::string validity_problem(const boost::asio::ssl::context& context, const Files& files);

// Options of every context: TLS 1.2 and 1.3, no compression, no renegotiation.
void set_options(boost::asio::ssl::context& context);

}  // namespace tls
