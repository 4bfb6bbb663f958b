#include "web/access.hpp"

#include <catch2/catch.hpp>

#include <string>

using http::Fields;
using web::Access;
using web::AccessToken;
using web::Needs;
using web::Site;

namespace {

const std::string token(64, 'a');
constexpr Needs nothing{.token = false, .change = false};
constexpr Needs reading{};
constexpr Needs changing{.token = true, .change = true};
constexpr Needs login{.token = false, .change = true};

Access access_at(const char* address, std::vector<std::string> names = {}, bool has_tls = false) {
    http::Address parsed = *http::parse_address(address);
    return {AccessToken(token, parsed.port()), Site{parsed, has_tls, std::move(names)}};
}

http::Request request(Fields fields) {
    http::Request request;
    request.fields = std::move(fields);
    return request;
}

// 0 if it is answered.
unsigned status(const Access& access, Fields fields, Needs needs = nothing) {
    auto refusal = access.refusal(request(std::move(fields)), needs);
    if (refusal) CHECK(refusal->sentence.ends_with("."));
    return refusal ? refusal->status : 0;
}

std::pair<std::string, std::string> bearer(const std::string& text = token) {
    return {"Authorization", "Bearer " + text};
}

// As the browser sends it back.
std::string cookie_of(const Access& access) {
    std::string set = access.set_cookie();
    return set.substr(0, set.find(';'));
}

}  // namespace

TEST_CASE("a server of loopback answers only requests that name it by an address of loopback or localhost") {
    Access access = access_at("127.0.0.1:7420");
    for (const char* host :
         {"127.0.0.1:7420", "localhost:7420", "localhost", "localhost:9000", "127.0.0.2", "[::1]:80"})
        CHECK(status(access, {{"Host", host}}) == 0);
    CHECK(status(access, {}) == 0);
    for (const char* host :
         {"evil.example:7420", "localhost.evil.example", "127.0.0.1.evil.example", "192.168.1.7:7420",
          "0.0.0.0:7420", "[::]:7420", "127.0.0.1:x", "127.0.0.1@evil.example", "[::1", ":", "a b"}) {
        INFO(host);
        CHECK(status(access, {{"Host", host}}) == 403);
    }
}

TEST_CASE("a request with two fields Host is refused") {
    Access access = access_at("127.0.0.1:7420");
    CHECK(status(access, {{"Host", "127.0.0.1:7420"}, {"host", "evil.example"}}) == 403);
}

TEST_CASE("a server of another address has that address, and the names that it was told") {
    Access access = access_at("192.168.1.7:7420", {"box.example"});
    for (const char* host : {"192.168.1.7:7420", "127.0.0.1", "box.example:7420", "BOX.example"})
        CHECK(status(access, {{"Host", host}}) == 0);
    for (const char* host : {"192.168.1.8", "x.box.example", "box.example.evil"})
        CHECK(status(access, {{"Host", host}}) == 403);
}

TEST_CASE("a server of all addresses can be named by each of them, but by no name") {
    Access access = access_at("0.0.0.0:7420");
    CHECK(status(access, {{"Host", "192.168.1.8:7420"}}) == 0);
    CHECK(status(access, {{"Host", "box.example"}}) == 403);
}

TEST_CASE("only the token, or the cookie that stands for it, opens what needs it") {
    Access access = access_at("127.0.0.1:7420");
    std::string cookie = cookie_of(access);
    CHECK(status(access, {}, reading) == 401);
    CHECK(status(access, {bearer()}, reading) == 0);
    CHECK(status(access, {{"authorization", "bearer " + token}}, reading) == 0);
    CHECK(status(access, {{"Cookie", cookie}}, reading) == 0);
    CHECK(status(access, {{"Cookie", "a=b; " + cookie + ";c"}}, reading) == 0);
    CHECK(status(access, {{"Cookie", "a=b"}, {"Cookie", cookie}}, reading) == 0);
    CHECK(status(access, {{"Cookie", "barnum-7420=wrong; " + cookie}}, reading) == 0);
    for (const std::string& wrong : {std::string(), token + "a", token.substr(1), std::string(64, 'b')})
        CHECK(status(access, {bearer(wrong)}, reading) == 401);
    CHECK(status(access, {{"Authorization", "Basic " + token}}, reading) == 401);
    for (const std::string& wrong :
         {"x" + cookie, cookie + "x", cookie.substr(0, cookie.size() - 1), "barnum-7420=" + token,
          std::string("barnum-7420="), std::string("barnum-7420"), std::string(";=;;= ; "), "a=b, " + cookie})
        CHECK(status(access, {{"Cookie", wrong}}, reading) == 401);
}

TEST_CASE("what is not the token is answered after a pause, and nothing else is") {
    Access access = access_at("127.0.0.1:7420");
    auto is_slow = [&](Fields fields) {
        return access.refusal(request(std::move(fields)), reading)->is_of_wrong_token;
    };
    CHECK(is_slow({bearer("wrong")}));
    CHECK(is_slow({{"Cookie", "barnum-7420=wrong"}}));
    CHECK_FALSE(is_slow({}));
    CHECK_FALSE(is_slow({{"Cookie", "barnum-7421=of another port"}}));
    CHECK(access.login_refusal("wrong")->is_of_wrong_token);
    CHECK(access.login_refusal("wrong")->status == 401);
    CHECK_FALSE(access.login_refusal(token));
}

TEST_CASE("the cookie says nothing of the token, stays the same, and is another one for another token") {
    std::string first = access_at("127.0.0.1:7420").set_cookie();
    CHECK(first == access_at("127.0.0.1:7420").set_cookie());
    CHECK(first.find(token) == std::string::npos);
    CHECK(first.ends_with("; Path=/; HttpOnly; SameSite=Strict"));
    CHECK(AccessToken(std::string(64, 'b'), 7420).set_cookie(false) != first);
    CHECK(access_at("127.0.0.1:7420", {}, true).set_cookie() == first + "; Secure");
}

TEST_CASE("what needs no token still needs a right host") {
    CHECK(status(access_at("127.0.0.1:7420"), {{"Host", "evil.example"}}, nothing) == 403);
    CHECK(status(access_at("127.0.0.1:7420"), {{"Origin", "http://evil.example"}}, nothing) == 0);
}

TEST_CASE("a page of another site gets nothing that needs the token, and can change nothing") {
    Access access = access_at("127.0.0.1:7420");
    std::pair<std::string, std::string> host{"Host", "localhost:7420"},
        type{"Content-Type", "application/json"};
    for (Needs needs : {reading, changing}) {
        CHECK(status(access, {host, type, bearer(), {"Origin", "http://localhost:7420"}}, needs) == 0);
        CHECK(status(access, {host, type, bearer(), {"Origin", "HTTPS://Localhost:7420"}}, needs) == 0);
        CHECK(status(access, {host, type, bearer(), {"Sec-Fetch-Site", "same-origin"}}, needs) == 0);
        CHECK(status(access, {host, type, bearer(), {"Sec-Fetch-Site", "none"}}, needs) == 0);
        for (const char* origin :
             {"http://evil.example", "http://localhost:3000", "http://localhost", "null", "localhost:7420",
              "http://127.0.0.1:7420", "ftp://localhost:7420", "http://localhost:7420/"}) {
            INFO(origin);
            CHECK(status(access, {host, type, bearer(), {"Origin", origin}}, needs) == 403);
        }
        for (const char* relation : {"cross-site", "same-site", "x"})
            CHECK(status(access, {host, type, bearer(), {"Sec-Fetch-Site", relation}}, needs) == 403);
    }
    CHECK(status(access, {host, type, {"Origin", "http://evil.example"}}, login) == 403);
}

TEST_CASE("what changes something must be JSON, which no form can send") {
    Access access = access_at("127.0.0.1:7420");
    for (const char* type : {"application/json", "Application/JSON; charset=utf-8"})
        CHECK(status(access, {bearer(), {"Content-Type", type}}, changing) == 0);
    for (const char* type : {"", "text/plain", "application/json5", "text/plain; application/json"})
        CHECK(status(access, {bearer(), {"Content-Type", type}}, changing) == 415);
    CHECK(status(access, {{"Content-Type", "application/json"}}, login) == 0);
    CHECK(status(access, {{"Content-Type", "application/json"}}, changing) == 401);
}

TEST_CASE("the policy allows nothing inline and nothing from elsewhere") {
    const auto& [name, policy] = web::security_fields().front();
    CHECK(name == "Content-Security-Policy");
    CHECK(policy.find("default-src 'none'") == 0);
    for (const char* unsafe : {"unsafe", "*", "http", "blob:"})
        CHECK(policy.find(unsafe) == std::string::npos);
}

TEST_CASE("an address that other machines reach needs TLS, or the word of the user") {
    auto check = [](const char* address, bool has_tls, bool is_insecure) {
        return web::check_listening(*http::parse_address(address), has_tls, is_insecure).has_value();
    };
    for (const char* address : {"127.0.0.1:1", "127.9.9.9:1", "[::1]:1"}) {
        CHECK(check(address, false, false));
        CHECK(web::insecurity_warning(*http::parse_address(address), false).empty());
    }
    for (const char* address : {"0.0.0.0:1", "[::]:1", "192.168.1.7:1", "[::ffff:192.168.1.7]:1"}) {
        INFO(address);
        CHECK_FALSE(check(address, false, false));
        CHECK(check(address, true, false));
        CHECK(check(address, false, true));
        CHECK(web::insecurity_warning(*http::parse_address(address), true).empty());
        CHECK(web::insecurity_warning(*http::parse_address(address), false).find(address) !=
              std::string::npos);
    }
}
