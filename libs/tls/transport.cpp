#include "tls/transport.hpp"

#include "base/text.hpp"
#include "tls/tls_connection.hpp"

#include <boost/asio/ssl/context.hpp>

#include <memory>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <string>
#include <string_view>
#include <vector>

namespace tls {

namespace ssl = boost::asio::ssl;

namespace {

struct FreeNames {
    void operator()(GENERAL_NAMES* names) const { ::GENERAL_NAMES_free(names); }
};

std::vector<std::string> host_names(ssl::context& context) {
    const X509* certificate = ::SSL_CTX_get0_certificate(context.native_handle());
    std::unique_ptr<GENERAL_NAMES, FreeNames> entries(
        static_cast<GENERAL_NAMES*>(::X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr)));
    std::vector<std::string> names;
    for (int i = 0; i < sk_GENERAL_NAME_num(entries.get()); ++i) {
        const GENERAL_NAME* entry = sk_GENERAL_NAME_value(entries.get(), i);
        if (entry->type != GEN_DNS) continue;
        const auto* text = reinterpret_cast<const char*>(::ASN1_STRING_get0_data(entry->d.dNSName));
        std::string name(text, static_cast<std::size_t>(::ASN1_STRING_length(entry->d.dNSName)));
        bool is_name = name.find_first_of(std::string_view("*\0", 2)) == std::string::npos;
        if (is_name) names.push_back(std::move(name));
    }
    return names;
}

}  // namespace

base::Result<Loaded> load(const Files& files) {
    auto context = std::make_shared<ssl::context>(ssl::context::tls_server);
    set_options(*context);
    if (auto used = use_certificate(*context, files, "server"); used.has_error()) return used.error();
    http::Transport transport = [context](boost::asio::ip::tcp::socket socket) {
        return make_connection(std::move(socket), *context);
    };
    std::string problem = validity_problem(*context, files);
    if (!problem.empty()) problem += ": clients will refuse it";
    return Loaded{std::move(transport), host_names(*context), std::move(problem)};
}

}  // namespace tls
