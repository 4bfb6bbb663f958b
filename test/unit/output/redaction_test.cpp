#include "output/redaction.hpp"

#include "json/escape.hpp"
#include "output/visible_text.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <vector>

using namespace output;

namespace {

std::string redact(const std::vector<std::string>& secrets, std::string_view text) {
    return Redaction(secrets).redact(text);
}

// The same, byte by byte: what is not held back after each piece, and the rest.
std::string in_pieces(const std::vector<std::string>& secrets, std::string_view text, std::mt19937& random) {
    Redactor redactor(std::make_shared<const Redaction>(secrets));
    std::string out;
    while (!text.empty()) {
        std::size_t size = std::min<std::size_t>(1 + random() % 9, text.size());
        redactor.add(text.substr(0, size), out);
        text.remove_prefix(size);
    }
    redactor.finish(out);
    return out;
}

// Marks what belongs to a secret, and then writes the rest.
std::string slowly(const std::vector<std::string>& secrets, const std::string& text) {
    std::string out;
    std::size_t end = 0;  // of the secrets so far
    for (std::size_t at = 0; at < text.size(); ++at) {
        std::size_t longest = 0;
        for (const std::string& secret : secrets)
            if (text.compare(at, secret.size(), secret) == 0) longest = std::max(longest, secret.size());
        if (longest > 0 && at >= end) out += "***";
        if (longest > 0) end = std::max(end, at + longest);
        if (at >= end) out += text[at];
    }
    return out;
}

std::string random_ab(std::mt19937& random, std::size_t size) {
    std::string text;
    for (std::size_t i = 0; i < size; ++i)
        text += "ab"[random() % 2];
    return text;
}

}  // namespace

TEST_CASE("variables are secret by their names") {
    for (const char* name : {"GITHUB_TOKEN", "AWS_SECRET_ACCESS_KEY", "PGPASSWORD", "OPENAI_API_KEY",
                             "GOOGLE_APPLICATION_CREDENTIALS", "npm_config__auth_token"}) {
        INFO(name);
        CHECK(is_secret_name(name, ""));
    }
    for (const char* name : {"PATH", "HOME", "", "API", "KEY", "PASS"}) {
        INFO(name);
        CHECK_FALSE(is_secret_name(name, ""));
    }
    CHECK(is_secret_name("DSN", "LICENSE, DSN"));
    CHECK(is_secret_name("LICENSE", "LICENSE, DSN"));
    CHECK_FALSE(is_secret_name("DS", "LICENSE, DSN"));
    CHECK_FALSE(is_secret_name("", "LICENSE,,DSN"));
}

TEST_CASE("BARNUM_REDACT names further secret variables") {
    Variables variables{{"MY_TOKEN", "one"},
                        {"HOME", "/home/me"},
                        {"DSN", "two"},
                        {"BARNUM_REDACT", "DSN,X"},
                        {"X", "three"}};
    CHECK(secrets_of(variables) == std::vector<std::string>{"one", "two", "three"});
}

TEST_CASE("secrets are replaced wherever they stand, and nothing else is") {
    CHECK(redact({"swordfish"}, "swordfish") == "***");
    CHECK(redact({"swordfish"}, "a swordfish, swordfishes and a swordfis") == "a ***, ***es and a swordfis");
    CHECK(redact({"swordfish", "swordfish-2"}, "swordfish-2 swordfish-1") == "*** ***-1");
    CHECK(redact({"swordfish", "swordfish"}, "swordfishswordfish") == "******");
    CHECK(redact({}, "swordfish").find("swordfish") == 0);
    CHECK(redact({"swordfish"}, "").empty());
}

TEST_CASE("secrets that overlap are replaced as one") {
    CHECK(redact({"abcdefgh", "efghijkl"}, "-abcdefghijkl-") == "-***-");
    CHECK(redact({"aaaaaa"}, "-aaaaaaaaaaaaaaaaaaa-") == "-***-");
    CHECK(redact({"abcdefghijkl", "cdefgh"}, "abcdefghijkX") == "ab***ijkX");
}

TEST_CASE("a short secret is not replaced") {
    CHECK(redact({"12345", ""}, "12345") == "12345");
    CHECK(redact({"123456"}, "123456") == "***");
}

TEST_CASE("a secret is found as JSON strings contain it") {
    const std::string secret =
        "p\"a\\s\ts\x01 Gr\xc3\xbc\xc3\x9f"
        "e\xf0\x9f\x94\x91";
    for (json::Escapes escapes : {json::Escapes::required, json::Escapes::all_but_ascii}) {
        const std::string once = json::escaped(secret, escapes);
        const std::string twice = json::escaped(once, json::Escapes::required);
        CHECK(redact({secret}, "{\"a\":\"" + once + "\"}") == "{\"a\":\"***\"}");
        CHECK(redact({secret}, "<" + twice + ">") == "<***>");
    }
    CHECK(json::escaped(secret, json::Escapes::required) ==
          "p\\\"a\\\\s\\ts\\u0001 Gr\xc3\xbc\xc3\x9f"
          "e\xf0\x9f\x94\x91");
    CHECK(json::escaped(secret, json::Escapes::all_but_ascii) ==
          "p\\\"a\\\\s\\ts\\u0001 Gr\\u00fc\\u00dfe\\ud83d\\udd11");
}

TEST_CASE("bytes that are no text are escaped without harm") {
    for (const char* text :
         {"\xff\xfe\xfd\xfc\xfb\xfa", "abcdef\xf0", "abcdef\xe2\x82", "\x80\x80\x80\x80\x80\x80"})
        CHECK(redact({text}, std::string("<") + text + ">") == "<***>");
}

TEST_CASE("each line of a secret with several lines is a secret") {
    const std::string key = "-----BEGIN KEY-----\nMIIEvQIBADAN\nend\n";
    CHECK(redact({key}, "<" + key + ">") == "<***>");
    CHECK(redact({key}, "  1 MIIEvQIBADAN\n  2 end\n") == "  1 ***\n  2 end\n");
}

TEST_CASE("at most the beginning of a secret is held back") {
    Redactor redactor(std::make_shared<const Redaction>(std::vector<std::string>{"swordfish"}));
    std::string out;
    redactor.add("the sword", out);
    CHECK(out == "the ");
    redactor.add("s and swordf", out);
    CHECK(out == "the swords and ");
    redactor.add("ish.", out);
    CHECK(out == "the swords and ***.");
    redactor.add("swordfis", out);
    redactor.finish(out);
    CHECK(out == "the swords and ***.swordfis");
}

TEST_CASE("escape sequences and control characters do not hide a secret, and stay behind it") {
    const std::vector<std::string> secrets{"swordfish"};
    CHECK(redact(secrets, "a sw\x1b[31mord\x1b[0mfish!") == "a ***\x1b[31m\x1b[0m!");
    CHECK(redact(secrets, "\x1b[31mswordfish\x1b[0m") == "\x1b[31m***\x1b[0m");
    CHECK(redact(secrets,
                 "sword\x1b]0;title\x07"
                 "fish") == "***\x1b]0;title\x07");
    CHECK(redact(secrets,
                 "s\bword\xc2\x85"
                 "fish") == "***\b\xc2\x85");
    CHECK(redact(secrets,
                 "a sword\xc2\x9b"
                 "31mfish") ==
          "a ***\xc2\x9b"
          "31m");
    CHECK(redact(secrets, "{\"a\":\"sw\\u001b[31mord\\\\u001B[0mfish\"}") ==
          "{\"a\":\"***\\u001b[31m\\\\u001B[0m\"}");
    CHECK(redact(secrets, "sword\tfish sword\nfish") == "sword\tfish sword\nfish");
}

TEST_CASE("a secret within an escape sequence is replaced, too") {
    CHECK(redact({"swordfish"}, "\x1b]0;swordfish\x07") == "\x1b]0;***\x07");
    CHECK(redact({"swordfish"},
                 "sword\x1b]0;swordfish\x07"
                 "fish.") == "***.");
    CHECK(redact({"hswordfish"}, "\x1b[hswordfish") == "\x1b[***");
    CHECK(redact({"swordfish"}, "\x1b]0;open\nsword\x1b[1mfish") == "\x1b]0;open\n***\x1b[1m");
}

TEST_CASE("a secret that is hidden behind very much is not waited for") {
    Redactor redactor(std::make_shared<const Redaction>(std::vector<std::string>{"swordfish"}));
    std::string out;
    redactor.add("sword", out);
    for (int i = 0; i < 3000; ++i)
        redactor.add("\x1b[31m", out);
    CHECK(out.starts_with("***"));
    redactor.add("fish", out);
    redactor.finish(out);
    CHECK(out.find("sword") == std::string::npos);
}

TEST_CASE("where a text was cut, parts of secrets with colors are replaced") {
    const Redaction redaction(std::vector<std::string>{"swordfish"});
    CHECK(redaction.redact_quotes("sw\x1b[31mord…") == "***…");
    CHECK(redaction.redact_quotes("…or\x1b[31mdfish!") == "…***!");
}

TEST_CASE("a filter gives all at the end") {
    auto filter = filter_with(std::make_shared<const Redaction>(std::vector<std::string>{"swordfish"}));
    CHECK(filter("a sword", false) == "a ");
    CHECK(filter("fish and sword", false) == "*** and ");
    CHECK(filter("", true) == "sword");
}

TEST_CASE("random secrets with sequences, in random pieces, are replaced as in the whole text") {
    std::mt19937 random(18);
    const std::vector<std::string> hidden{"\x1b[31m",
                                          "\x1b[0m",
                                          "\x01",
                                          "\xc2\x85",
                                          "\\u001b[1m",
                                          "\x1b(B",
                                          "\xc2\x9b"
                                          "1m"};
    for (int round = 0; round < 2000; ++round) {
        std::vector<std::string> secrets;
        for (std::size_t count = 1 + random() % 3; count > 0; --count)
            secrets.push_back(random_ab(random, Redaction::shortest + random() % 5));
        std::string plain, text;
        for (std::size_t size = random() % 60; size > 0; --size) {
            if (random() % 3 == 0) text += hidden[random() % hidden.size()];
            plain += "ab"[random() % 2];
            text += plain.back();
        }
        INFO(text);
        const std::string whole = redact(secrets, text);
        std::string shown = whole;
        if (VisibleText visible(whole, true); visible.has_hidden()) shown = visible.text();
        REQUIRE(shown == slowly(secrets, plain));
        std::string pieces = in_pieces(secrets, text, random);
        if (VisibleText visible(pieces, true); visible.has_hidden()) pieces = std::string(visible.text());
        REQUIRE(pieces == shown);
    }
}

TEST_CASE("random secrets in random pieces are replaced as in the whole text") {
    std::mt19937 random(17);
    for (int round = 0; round < 2000; ++round) {
        std::vector<std::string> secrets;
        for (std::size_t count = random() % 5; count > 0; --count)
            secrets.push_back(random_ab(random, Redaction::shortest + random() % 5));
        std::string text = random_ab(random, random() % 80);
        INFO(text);
        REQUIRE(redact(secrets, text) == slowly(secrets, text));
        REQUIRE(in_pieces(secrets, text, random) == slowly(secrets, text));
    }
}
