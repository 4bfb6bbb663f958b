#include "certificates.hpp"
#include "http_helper.hpp"
#include "tls/transport.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/completion_condition.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>

using Catch::Matchers::Contains;
using test::get;
using test::HttpClient;
namespace asio = boost::asio;
namespace ssl = boost::asio::ssl;

namespace {

// A directory with cert.pem and key.pem, which belong together.
struct Directory : test::TemporaryDirectory {
    Directory() {
        test::write_certificate(files.certificate, *test::make_certificate(*key));
        test::write_key(files.key, *key);
    }

    std::string error() const {
        auto loaded = tls::load(files);
        REQUIRE(loaded.has_error());
        return loaded.error().message;
    }

    test::Key key = test::make_key();
    tls::Files files{*this / "cert.pem", *this / "key.pem"};
};

asio::awaitable<http::Response> answer(const http::Request& request) {
    http::Response response = http::text_response(200, std::string(request.path()));
    if (request.path() == "/stream")
        response.stream = [](http::ResponseStream& stream) -> asio::awaitable<void> {
            co_await stream.write("one");
            co_await stream.write(std::string(100'000, 'x'));
        };
    co_return response;
}

// Serves what `client` asks for.
template<class Client>
void with_tls_server(Client client, http::Limits limits = {}) {
    Directory directory;
    auto loaded = tls::load(directory.files);
    REQUIRE(loaded.has_value());
    CHECK(loaded->warning.empty());
    asio::io_context loop(1);
    http::Server server(loop.get_executor(), limits, answer, loaded->transport);
    http::Address address = test::listen(server);
    test::run(loop, client(loop, address));
    test::run(loop, server.stop());
}

asio::awaitable<std::string> request_over_tls(asio::io_context& loop, http::Address address,
                                              ssl::context& context, std::string request) {
    ssl::stream<test::tcp::socket> stream(loop, context);
    co_await stream.next_layer().async_connect(address, asio::use_awaitable);
    co_await stream.async_handshake(ssl::stream_base::client, asio::use_awaitable);
    co_await asio::async_write(stream, asio::buffer(request), asio::use_awaitable);
    std::string received;
    boost::system::error_code ec;
    co_await asio::async_read(stream, asio::dynamic_buffer(received),
                              asio::redirect_error(asio::use_awaitable, ec));
    CHECK(ec == asio::error::eof);  // and not a connection that was cut, which could be anybody's doing
    co_return received;
}

asio::awaitable<void> requests(asio::io_context& loop, http::Address address) {
    ssl::context context(ssl::context::tls_client);
    std::string both = get("/one") + "GET /two HTTP/1.1\r\nConnection: close\r\n\r\n";
    std::string received = co_await request_over_tls(loop, address, context, both);
    CHECK_THAT(received, Contains("/one\n") && Contains("/two\n"));
}

asio::awaitable<void> stream(asio::io_context& loop, http::Address address) {
    ssl::context context(ssl::context::tls_client);
    std::string received = co_await request_over_tls(loop, address, context, get("/stream"));
    CHECK(test::body_of(received).starts_with("3\r\none\r\n186a0\r\nxxx"));
    CHECK(received.ends_with("xxx\r\n0\r\n\r\n"));
}

asio::awaitable<void> plain_request(asio::io_context& loop, http::Address address) {
    HttpClient client(loop);
    co_await client.send(address, get("/"));
    std::string response = co_await client.read_all();
    CHECK_THAT(response, Catch::StartsWith("HTTP/1.1 400 ") && Contains("This port speaks TLS"));
}

asio::awaitable<void> no_http(asio::io_context& loop, http::Address address) {
    HttpClient client(loop);
    co_await client.send(address, std::string(100, '\0'));
    std::string received = co_await client.read_all();
    CHECK_THAT(received, !Contains("HTTP"));
}

// It sends nothing, or the beginning of a handshake.
asio::awaitable<void> stalled_handshake(asio::io_context& loop, http::Address address) {
    for (const std::string& begin : {std::string(), std::string("\x16\x03\x01\x02", 4)}) {
        HttpClient client(loop);
        co_await client.send(address, begin);
        std::string received = co_await client.read_all();
        CHECK(received.empty());
    }
}

asio::awaitable<void> old_client(asio::io_context& loop, http::Address address) {
    ssl::context context(ssl::context::tls_client);
    SSL_CTX_set_max_proto_version(context.native_handle(), TLS1_1_VERSION);
    SSL_CTX_set_security_level(context.native_handle(), 0);
    ssl::stream<test::tcp::socket> stream(loop, context);
    co_await stream.next_layer().async_connect(address, asio::use_awaitable);
    boost::system::error_code ec;
    co_await stream.async_handshake(ssl::stream_base::client, asio::redirect_error(asio::use_awaitable, ec));
    CHECK(ec.message() == "tlsv1 alert protocol version (SSL routines)");
}

}  // namespace

TEST_CASE("requests over TLS are answered on one connection, which ends as TLS wants it") {
    with_tls_server(requests);
}

TEST_CASE("a stream over TLS is complete") {
    with_tls_server(stream);
}

TEST_CASE("a plain request to a port with TLS gets a hint") {
    with_tls_server(plain_request);
}

TEST_CASE("what is neither TLS nor HTTP ends the connection") {
    with_tls_server(no_http);
}

TEST_CASE("a handshake that stalls ends the connection") {
    http::Limits limits;
    limits.request = std::chrono::seconds(1);
    with_tls_server(stalled_handshake, limits);
}

TEST_CASE("a client that knows only TLS 1.1 is refused") {
    with_tls_server(old_client);
}

TEST_CASE("a file of a certificate or key that cannot be used is named, with what to do") {
    Directory directory;
    SECTION("a missing certificate") {
        directory.files.certificate = directory / "none.pem";
        CHECK(directory.error() ==
              "cannot read the certificate " + directory.files.certificate + ": No such file or directory");
    }
    SECTION("a missing key") {
        directory.files.key = directory / "none.pem";
        CHECK(directory.error() ==
              "cannot read the private key " + directory.files.key + ": No such file or directory");
    }
    SECTION("no certificate") {
        test::write(directory.files.certificate, "not a certificate");
        CHECK_THAT(directory.error(),
                   Catch::StartsWith("cannot use the certificate " + directory.files.certificate) &&
                       Contains("must be a PEM file"));
    }
    SECTION("no key") {
        test::write(directory.files.key, "not a key");
        CHECK_THAT(directory.error(),
                   Catch::StartsWith("cannot use the private key " + directory.files.key) &&
                       Contains("must be a PEM file"));
    }
    SECTION("a FIFO") {
        directory.files.key = directory / "fifo";
        REQUIRE(::mkfifo(directory.files.key.c_str(), 0600) == 0);
        CHECK_THAT(directory.error(), Contains("is not a file"));
    }
    SECTION("a key that everybody can read") {
        REQUIRE(::chmod(directory.files.key.c_str(), 0644) == 0);
        CHECK_THAT(directory.error(), Contains("can be read by every user") && Contains("chmod o= "));
    }
    SECTION("an encrypted key") {
        test::write_key(directory.files.key, *directory.key, "secret");
        CHECK_THAT(directory.error(),
                   Contains("is encrypted; decrypt it: openssl pkey -in " + directory.files.key));
    }
}

TEST_CASE("a key of another certificate is refused") {
    Directory directory;
    test::write_key(directory.files.key, *test::make_key());
    CHECK(directory.error() == "the private key " + directory.files.key +
                                   " does not belong to the certificate " + directory.files.certificate);
    test::write_key(directory.files.key, *test::make_rsa_key(2048));
    CHECK_THAT(directory.error(), Contains("does not belong to"));
}

TEST_CASE("a key that is too short to be safe is refused") {
    Directory directory;
    test::Key weak = test::make_rsa_key(512);
    test::write_certificate(directory.files.certificate, *test::make_certificate(*weak));
    test::write_key(directory.files.key, *weak);
    CHECK_THAT(directory.error(), Contains("key too small"));
}

TEST_CASE("the names of a certificate are told, except those with a wildcard") {
    Directory directory;
    const char* names = "DNS:box.example,DNS:*.box.example,IP:127.0.0.1,DNS:localhost";
    test::write_certificate(directory.files.certificate,
                            *test::make_certificate(*directory.key, -3600, 3600, names));
    CHECK(tls::load(directory.files)->names == std::vector<std::string>{"box.example", "localhost"});
}

TEST_CASE("a certificate that is not valid now is used with a warning") {
    Directory directory;
    test::write_certificate(directory.files.certificate,
                            *test::make_certificate(*directory.key, -7200, -3600));
    CHECK_THAT(tls::load(directory.files)->warning,
               Contains(" expired at 2") && Contains("clients will refuse it"));
    test::write_certificate(directory.files.certificate, *test::make_certificate(*directory.key, 3600, 7200));
    CHECK_THAT(tls::load(directory.files)->warning, Contains(" is valid only from 2"));
}
