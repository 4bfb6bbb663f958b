#include "tls/certificate.hpp"

#include "base/text.hpp"
#include "base/utc_text.hpp"
#include "io/small_file.hpp"

#include <boost/asio/ssl/error.hpp>

#include <chrono>
#include <ctime>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509err.h>

namespace tls {

namespace ssl = boost::asio::ssl;
using boost::system::error_code;

namespace {

std::string certificate_name(const Files& files) {
    return base::concat("the certificate ", files.certificate);
}

std::string key_name(const Files& files) {
    return base::concat("the private key ", files.key);
}

base::Result<void> use_certificate_file(ssl::context& context, const Files& files, const std::string& owner) {
    auto text = io::read_small_file(files.certificate, certificate_name(files));
    if (text.has_error()) return text.error();
    error_code ec;
    context.use_certificate_chain(boost::asio::buffer(*text), ec);
    if (ec)
        return base::invalid(base::concat("cannot use ", certificate_name(files), ": ", ec.message(),
                                          "; it must be a PEM file that begins with the ", owner,
                                          "'s certificate"));
    return {};
}

bool is_mismatch(error_code ec) {
    int reason = ERR_GET_REASON(static_cast<unsigned long>(ec.value()));
    return ec.category() == boost::asio::error::get_ssl_category() &&
           (reason == X509_R_KEY_VALUES_MISMATCH || reason == X509_R_KEY_TYPE_MISMATCH);
}

base::Result<void> use_key_text(ssl::context& context, const std::string& text, const Files& files) {
    // Without it, OpenSSL would ask for a password on the terminal.
    bool is_encrypted = false;
    context.set_password_callback([&](std::size_t, ssl::context::password_purpose) {
        is_encrypted = true;
        return std::string();
    });
    error_code ec;
    context.use_private_key(boost::asio::buffer(text), ssl::context::pem, ec);
    context.set_password_callback([](std::size_t, ssl::context::password_purpose) { return std::string(); });
    if (is_encrypted)
        return base::invalid(base::concat(key_name(files), " is encrypted; decrypt it: openssl pkey -in ",
                                          files.key, " -out NEW_FILE"));
    bool fits = !ec && ::SSL_CTX_check_private_key(context.native_handle()) == 1;
    ::ERR_clear_error();
    if (fits) return {};
    if (!ec || is_mismatch(ec))
        return base::invalid(base::concat(key_name(files), " does not belong to ", certificate_name(files)));
    return base::invalid(
        base::concat("cannot use ", key_name(files), ": ", ec.message(), "; it must be a PEM file"));
}

base::Result<void> use_key(ssl::context& context, const Files& files) {
    auto text = io::read_secret_file(files.key, key_name(files));
    if (text.has_error()) return text.error();
    auto used = use_key_text(context, *text, files);
    ::OPENSSL_cleanse(text->data(), text->size());
    return used;
}

std::string date_text(const ASN1_TIME* time) {
    std::tm parts{};
    if (::ASN1_TIME_to_tm(time, &parts) != 1) return "an unknown time";
    return base::utc_text(std::chrono::sys_seconds(std::chrono::seconds(::timegm(&parts))));
}

}  // namespace

base::Result<void> use_certificate(ssl::context& context, const Files& files, const std::string& owner) {
    if (auto used = use_certificate_file(context, files, owner); used.has_error()) return used;
    return use_key(context, files);
}

std::string validity_problem(const ssl::context& context, const Files& files) {
    // Asio gives the handle of a context that can be changed only.
    const X509* certificate = ::SSL_CTX_get0_certificate(const_cast<ssl::context&>(context).native_handle());
    const ASN1_TIME* begin = ::X509_get0_notBefore(certificate);
    const ASN1_TIME* end = ::X509_get0_notAfter(certificate);
    std::string problem;
    if (::X509_cmp_current_time(end) < 0) problem = " expired at " + date_text(end);
    if (::X509_cmp_current_time(begin) > 0) problem = " is valid only from " + date_text(begin);
    if (problem.empty()) return {};
    return certificate_name(files) + problem;
}

void set_options(ssl::context& context) {
    SSL_CTX* handle = context.native_handle();
    SSL_CTX_set_min_proto_version(handle, TLS1_2_VERSION);
    ::SSL_CTX_set_options(handle, SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION);
    SSL_CTX_set_mode(handle, SSL_MODE_RELEASE_BUFFERS);
}

}  // namespace tls
