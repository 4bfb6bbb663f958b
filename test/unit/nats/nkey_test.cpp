#include "nats/nkey.hpp"

#include "base/base64.hpp"
#include "nats/credentials.hpp"

#include <catch2/catch.hpp>

#include <string>

using Catch::Matchers::Contains;

namespace {

// The pair that the documentation of NATS shows.
const std::string seed = "SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VY";
const std::string public_key = "UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4";

}  // namespace

TEST_CASE("a seed gives its public key and signatures that are always the same") {
    auto pair = nats::KeyPair::from_seed(seed);
    REQUIRE(pair.has_value());
    CHECK(pair->public_key() == public_key);
    CHECK(pair->is_user());
    std::string signature = pair->sign("nonce");
    CHECK(signature.size() == 64);
    CHECK(signature == pair->sign("nonce"));
    CHECK(signature != pair->sign("other"));
}

TEST_CASE("a seed with a mistake is refused, and is not shown") {
    for (std::size_t i = 0; i < seed.size(); ++i) {
        std::string wrong = seed;
        wrong[i] = wrong[i] == 'A' ? 'B' : 'A';
        auto pair = nats::KeyPair::from_seed(wrong);
        // The last character has bits that stand for nothing.
        if (i + 1 == seed.size()) continue;
        REQUIRE(pair.has_error());
        CHECK_THAT(pair.error().message, !Contains(wrong.substr(0, 10)));
    }
    for (const std::string& wrong :
         {std::string(), seed + "A", seed.substr(1), public_key, std::string("su")})
        CHECK(nats::KeyPair::from_seed(wrong).has_error());
}

TEST_CASE("a credentials file has a JWT and a seed, or a seed alone") {
    std::string text =
        "-----BEGIN NATS USER JWT-----\r\neyJ0.eyJq.c2ln\r\n------END NATS USER JWT------\r\n\r\n"
        "*** IMPORTANT ***\nSee that nobody reads it.\n\n"
        "-----BEGIN USER NKEY SEED-----\n" +
        seed + "\n------END USER NKEY SEED------\n";
    auto creds = nats::parse_creds(text, "x");
    REQUIRE(creds.has_value());
    CHECK(creds->jwt == "eyJ0.eyJq.c2ln");
    CHECK(creds->seed == seed);
    creds = nats::parse_creds("# a comment\n  " + seed, "x");
    REQUIRE(creds.has_value());
    CHECK(creds->jwt.empty());
    CHECK(creds->seed == seed);
    auto wrong = nats::parse_creds("secret", "the credentials f.creds");
    CHECK_THAT(wrong.error().message, Contains("f.creds contain no seed") && !Contains("secret"));
}
