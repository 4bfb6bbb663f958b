#include "tls/client.hpp"

#include "base/text.hpp"
#include "io/small_file.hpp"

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ssl/error.hpp>

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/sslerr.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

namespace tls {

namespace ssl = boost::asio::ssl;
using boost::system::error_code;

namespace {

base::Result<void> trust(ssl::context& context, const std::string& path) {
    error_code ec;
    if (path.empty()) {
        context.set_default_verify_paths(ec);
        if (!ec) return {};
        return base::invalid(base::concat("cannot read the system's certificates: ", ec.message()));
    }
    std::string name = base::concat("the certificates of authorities ", path);
    auto text = io::read_small_file(path, name);
    if (text.has_error()) return text.error();
    context.add_certificate_authority(boost::asio::buffer(*text), ec);
    ::ERR_clear_error();
    if (!ec) return {};
    return base::invalid(base::concat("cannot use ", name, ": ", ec.message(), "; it must be a PEM file"));
}

base::Result<void> introduce(ssl::context& context, const Files& own) {
    if (own.certificate.empty() && own.key.empty()) return {};
    if (own.certificate.empty() || own.key.empty())
        return base::invalid("a client's certificate needs its private key, and the key its certificate");
    if (auto used = use_certificate(context, own, "client"); used.has_error()) return used;
    std::string problem = validity_problem(context, own);
    if (problem.empty()) return {};
    return base::invalid(problem + ": the server would refuse it");
}

std::string authorities_name(const ClientFiles& files) {
    return files.authorities.empty() ? "that this system trusts" : "in " + files.authorities;
}

// What is wrong with the server's certificate, as OpenSSL has found.
std::string certificate_problem(long result, const ClientFiles& files, const std::string& name) {
    switch (result) {
        case X509_V_ERR_CERT_HAS_EXPIRED:
            return "its certificate has expired";
        case X509_V_ERR_CERT_NOT_YET_VALID:
            return "its certificate is not valid yet";
        case X509_V_ERR_HOSTNAME_MISMATCH:
        case X509_V_ERR_IP_ADDRESS_MISMATCH:
            return base::concat("its certificate is not for ", name);
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
        case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
        case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
        case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
        case X509_V_ERR_CERT_SIGNATURE_FAILURE:  // an authority of the same name
            return base::concat("its certificate is not of an authority ", authorities_name(files));
        default:
            return base::concat("its certificate is not accepted: ", ::X509_verify_cert_error_string(result));
    }
}

// What the server has against this client, if that is known.
std::string alert_problem(int reason, const ClientFiles& files) {
    std::string own = base::concat("the certificate ", files.own.certificate);
    switch (reason) {
        case SSL_R_TLSV13_ALERT_CERTIFICATE_REQUIRED:
            return "it demands a certificate of this client";
        case SSL_R_TLSV1_ALERT_UNKNOWN_CA:
        case SSL_R_SSLV3_ALERT_BAD_CERTIFICATE:
        case SSL_R_SSLV3_ALERT_CERTIFICATE_UNKNOWN:
            return files.own.certificate.empty() ? "it demands a certificate of this client"
                                                 : "it refuses " + own;
        case SSL_R_SSLV3_ALERT_CERTIFICATE_EXPIRED:
            return own + " has expired";
        case SSL_R_SSLV3_ALERT_CERTIFICATE_REVOKED:
            return own + " was revoked";
        case SSL_R_WRONG_VERSION_NUMBER:
            return "it does not speak TLS at this port";
        default:
            return {};
    }
}

}  // namespace

base::Result<std::shared_ptr<ssl::context>> load_client(const ClientFiles& files) {
    auto context = std::make_shared<ssl::context>(ssl::context::tls_client);
    set_options(*context);
    context->set_verify_mode(ssl::verify_peer);
    if (auto trusted = trust(*context, files.authorities); trusted.has_error()) return trusted.error();
    if (auto introduced = introduce(*context, files.own); introduced.has_error()) return introduced.error();
    return context;
}

void expect_server(SSL& connection, const std::string& name) {
    error_code not_an_address;
    boost::asio::ip::make_address(name, not_an_address);
    X509_VERIFY_PARAM* parameters = ::SSL_get0_param(&connection);
    if (!not_an_address) {
        ::X509_VERIFY_PARAM_set1_ip_asc(parameters, name.c_str());
        return;
    }
    ::X509_VERIFY_PARAM_set1_host(parameters, name.c_str(), name.size());
    // OpenSSL's macro casts in the way of C.
    ::SSL_ctrl(&connection, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name,
               const_cast<char*>(name.c_str()));
}

std::string problem_text(const SSL& connection, error_code failure, const ClientFiles& files,
                         const std::string& name) {
    long result = ::SSL_get_verify_result(&connection);
    if (result != X509_V_OK) return certificate_problem(result, files, name);
    std::string problem;
    if (failure.category() == boost::asio::error::get_ssl_category())
        problem = alert_problem(ERR_GET_REASON(static_cast<unsigned long>(failure.value())), files);
    return problem.empty() ? failure.message() : problem;
}

}  // namespace tls
