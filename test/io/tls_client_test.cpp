// The client's side of TLS against our own server. That of a server that demands certificates is in
// nats_server_tls_test.
#include "certificates.hpp"
#include "http_helper.hpp"
#include "tls/client.hpp"
#include "tls/transport.hpp"

#include <boost/asio/ssl/stream.hpp>

#include <sys/stat.h>

using Catch::Matchers::Contains;
namespace asio = boost::asio;
namespace ssl = boost::asio::ssl;

namespace {

struct Directory : test::TemporaryDirectory {
    explicit Directory(long begin = -3600, long end = 3600) {
        test::write_certificate(files.certificate,
                                *test::make_certificate(*key, begin, end, "DNS:localhost,IP:127.0.0.1"));
        test::write_key(files.key, *key);
    }
    test::Key key = test::make_key();
    tls::Files files{*this / "cert.pem", *this / "key.pem"};
};

asio::awaitable<http::Response> answer(const http::Request&) {
    co_return http::text_response(200, "");
}

// Why the handshake with `address` failed; "" if it did not.
asio::awaitable<void> handshake(asio::io_context& loop, http::Address address, tls::ClientFiles files,
                                std::string name, std::string& problem) {
    auto context = tls::load_client(files);
    REQUIRE(context.has_value());
    ssl::stream<test::tcp::socket> stream(loop, **context);
    co_await stream.next_layer().async_connect(address, asio::use_awaitable);
    tls::expect_server(*stream.native_handle(), name);
    boost::system::error_code ec;
    co_await stream.async_handshake(ssl::stream_base::client, asio::redirect_error(asio::use_awaitable, ec));
    if (ec) problem = tls::problem_text(*stream.native_handle(), ec, files, name);
}

std::string problem_with(const Directory& server, const tls::ClientFiles& files, const std::string& name) {
    auto loaded = tls::load(server.files);
    REQUIRE(loaded.has_value());
    asio::io_context loop(1);
    http::Server http(loop.get_executor(), {}, answer, loaded->transport);
    http::Address address = test::listen(http);
    std::string problem;
    test::run(loop, handshake(loop, address, files, name, problem));
    test::run(loop, http.stop());
    return problem;
}

std::string load_error(const tls::ClientFiles& files) {
    auto loaded = tls::load_client(files);
    REQUIRE(loaded.has_error());
    return loaded.error().message;
}

}  // namespace

TEST_CASE("a server is accepted if its certificate is of a trusted authority, and for its name") {
    Directory server;
    tls::ClientFiles files{server.files.certificate, {}};
    CHECK(problem_with(server, files, "localhost").empty());
    CHECK(problem_with(server, files, "127.0.0.1").empty());
    CHECK(problem_with(server, files, "h1") == "its certificate is not for h1");
    CHECK(problem_with(server, files, "127.0.0.2") == "its certificate is not for 127.0.0.2");
}

TEST_CASE("a server whose certificate nobody trusts, or that is not valid now, is refused with the reason") {
    Directory server, other;
    CHECK(problem_with(server, {}, "localhost") ==
          "its certificate is not of an authority that this system trusts");
    CHECK(problem_with(server, {other.files.certificate, {}}, "localhost") ==
          "its certificate is not of an authority in " + other.files.certificate);
    Directory expired(-7200, -3600);
    CHECK(problem_with(expired, {expired.files.certificate, {}}, "localhost") ==
          "its certificate has expired");
    Directory early(3600, 7200);
    CHECK(problem_with(early, {early.files.certificate, {}}, "localhost") ==
          "its certificate is not valid yet");
}

TEST_CASE("files of a client that cannot be used are named") {
    Directory own;
    CHECK_THAT(load_error({own / "none.pem", {}}),
               Contains("cannot read the certificates of authorities " + (own / "none.pem")));
    test::write(own / "text.pem", "no certificate");
    CHECK_THAT(load_error({own / "text.pem", {}}), Contains("it must be a PEM file"));
    CHECK_THAT(load_error({"", {own.files.certificate, ""}}), Contains("needs its private key"));
    CHECK(tls::load_client({"", own.files}).has_value());
    REQUIRE(::chmod(own.files.key.c_str(), 0644) == 0);
    CHECK_THAT(load_error({"", own.files}), Contains("can be read by every user"));
    Directory expired(-7200, -3600);
    CHECK_THAT(load_error({"", expired.files}),
               Contains(" expired at ") && Contains("the server would refuse it"));
}
