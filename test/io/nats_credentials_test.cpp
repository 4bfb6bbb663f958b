#include "base/base64.hpp"
#include "io_helper.hpp"
#include "nats/credentials.hpp"
#include "nats/error.hpp"

#include <sys/stat.h>

using Catch::Matchers::Contains;

namespace {

const std::string seed = "SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VY";
constexpr std::chrono::system_clock::time_point now{std::chrono::seconds(2'000'000'000)};

struct Secret : test::TemporaryDirectory {
    explicit Secret(const std::string& text) : file(*this / "secret") {
        test::write(file, text);
        REQUIRE(::chmod(file.c_str(), 0600) == 0);
    }
    std::string file;
};

std::string creds_with(const std::string& claims) {
    return "-----BEGIN NATS USER JWT-----\ne30." + base::to_base64_url(claims) +
           ".c2ln\n------END NATS USER JWT------\n" + seed + "\n";
}

nats::Login login(const nats::CredentialFiles& files, std::string_view nonce = "abc") {
    auto loaded = nats::load_credentials(files, now);
    REQUIRE(loaded.has_value());
    auto login = (*loaded)(nonce);
    REQUIRE(login.has_value());
    return *login;
}

std::string load_error(const nats::CredentialFiles& files) {
    auto loaded = nats::load_credentials(files, now);
    REQUIRE(loaded.has_error());
    return loaded.error().message;
}

}  // namespace

TEST_CASE("a password is read from a file without its line feed") {
    Secret secret("pass word\n");
    CHECK(login({"me", secret.file, ""}).password == "pass word");
    CHECK(login({"me", secret.file, ""}).user == "me");
    CHECK(login({}).user.empty());
}

TEST_CASE("a file with a secret that everybody can read is refused") {
    Secret secret("password");
    REQUIRE(::chmod(secret.file.c_str(), 0644) == 0);
    CHECK_THAT(load_error({"me", secret.file, ""}), Contains("the password file " + secret.file) &&
                                                        Contains("can be read by every user") &&
                                                        Contains("chmod o= " + secret.file));
    CHECK_THAT(load_error({"", "", secret.file}), Contains("can be read by every user"));
}

TEST_CASE("credentials that are not complete are named") {
    Secret empty("\n");
    CHECK_THAT(load_error({"me", empty.file, ""}), Contains("is empty"));
    CHECK_THAT(load_error({"me", "", ""}), Contains("needs a password file"));
    CHECK_THAT(load_error({"", empty.file, ""}), Contains("needs a password file"));
    CHECK_THAT(load_error({"me", empty.file, empty.file}), Contains("either"));
    CHECK_THAT(load_error({"", "", empty / "none"}), Contains("No such file"));
    CHECK_THAT(load_error({"", "", empty.file}), Contains("contain no seed"));
}

TEST_CASE("a key signs the nonce, and needs one") {
    Secret secret(seed);
    nats::Login key = login({"", "", secret.file});
    CHECK(key.nkey.starts_with("U"));
    CHECK(key.signature.size() == 86);
    CHECK(key.jwt.empty());
    CHECK(login({"", "", secret.file}, "other").signature != key.signature);
    auto loaded = nats::load_credentials({"", "", secret.file}, now);
    CHECK((*loaded)("").error().code == nats::Errc::authorization);
}

TEST_CASE("a JWT is sent with the signature, until it expires") {
    Secret secret(creds_with(R"({"exp":2000000001})"));
    nats::Login login_with_jwt = login({"", "", secret.file});
    CHECK(login_with_jwt.jwt.starts_with("e30."));
    CHECK(login_with_jwt.nkey.empty());
    CHECK(login_with_jwt.signature.size() == 86);
    Secret expired(creds_with(R"({"exp":2000000000})"));
    CHECK(load_error({"", "", expired.file}) ==
          "the credentials " + expired.file + " expired at 2033-05-18T03:33:20Z; replace them");
    for (const char* claims : {"{}", "{\"exp\":0}", "{\"exp\":\"x\"}", "nonsense"}) {
        Secret other(creds_with(claims));
        CHECK(!login({"", "", other.file}).jwt.empty());
    }
}

TEST_CASE("a seed of another kind is no user's") {
    // An account's, made from the same bytes.
    Secret secret("SAACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VY");
    CHECK_THAT(load_error({"", "", secret.file}), Contains("seed") && !Contains("SAACSSL3"));
}
