#include "nats_engine/record.hpp"

#include <catch2/catch.hpp>

using namespace nats_engine;
using edge::Author;
using edge::Entry;
using edge::EntryKind;
using edge::Outcome;

namespace {

const Author author{"h1", {18'446'744'073'709'551'615U, 12}};
const Author other{"host-2.example", {3, 4}};

void check_same(const Entry& entry, std::string_view text) {
    auto read = parse_record(record_payload(entry, text));
    REQUIRE(read);
    CHECK(read->entry.kind == entry.kind);
    CHECK(read->entry.author == entry.author);
    CHECK(read->entry.owner == entry.owner);
    CHECK(read->entry.setbacks == entry.setbacks);
    CHECK(read->entry.outcome == entry.outcome);
    CHECK(read->text == text);
}

}  // namespace

TEST_CASE("an entry that is written and read again is the same") {
    check_same({EntryKind::claimed, author, author}, "");
    check_same({EntryKind::released, author, std::nullopt, {2, 3}}, "");
    check_same({EntryKind::withdrawn, author, other}, "");
    check_same({EntryKind::reopened, author}, "");
    for (Outcome outcome : {Outcome::processed, Outcome::timeout, Outcome::failed, Outcome::lost,
                            Outcome::rejected, Outcome::stopped, Outcome::invalid, Outcome::agent_lost})
        check_same({EntryKind::outcome, author, std::nullopt, {}, outcome}, "text");
}

TEST_CASE("the text of an outcome stays as it is, and costs nothing") {
    for (std::string text :
         {std::string("a\nb\r\n"), std::string("\"\\\x01\xff\0x", 6), std::string(1000, '"')}) {
        Entry entry{EntryKind::outcome, author, std::nullopt, {}, Outcome::processed};
        check_same(entry, text);
        CHECK(record_payload(entry, text).size() == record_payload(entry, "").size() + text.size());
    }
}

TEST_CASE("the form of a record is kept for later versions") {
    CHECK(
        record_payload({EntryKind::claimed, other, other}, "") ==
        R"({"kind":"claimed","edge":"host-2.example","nonce":"3-4","owner":{"edge":"host-2.example","nonce":"3-4"}})"
        "\n");
    CHECK(record_payload({EntryKind::outcome, other, std::nullopt, {}, Outcome::agent_lost}, "x") ==
          R"({"kind":"outcome","edge":"host-2.example","nonce":"3-4","outcome":"agent_lost"})"
          "\nx");
    auto newer =
        parse_record(R"({"version":2,"kind":"released","edge":"e","nonce":"1-2","deaths":1,"failures":-1})"
                     "\n");
    REQUIRE(newer);
    CHECK(newer->entry.setbacks == edge::Setbacks{1, 0});
}

TEST_CASE("what is not an entry is not read as one") {
    for (const char* wrong : {
             "",
             "\n",
             "x\n",
             "[]\n",
             "{}\n",
             R"({"kind":"claimed","edge":"e","nonce":"1-2"})",
             R"({"kind":"other","edge":"e","nonce":"1-2"})"
             "\n",
             R"({"kind":"claimed","edge":"","nonce":"1-2"})"
             "\n",
             R"({"kind":"claimed","edge":7,"nonce":"1-2"})"
             "\n",
             R"({"kind":"claimed","edge":"e","nonce":12})"
             "\n",
             R"({"kind":"claimed","edge":"e","nonce":"1-2","owner":{"edge":"e"}})"
             "\n",
             R"({"kind":"claimed","edge":"e","nonce":"1-2"})"
             "\n",
             R"({"kind":"outcome","edge":"e","nonce":"1-2"})"
             "\n",
             R"({"kind":"outcome","edge":"e","nonce":"1-2","outcome":"other"})"
             "\n",
         }) {
        CAPTURE(wrong);
        CHECK(!parse_record(wrong));
    }
}

TEST_CASE("a nonce is two numbers") {
    CHECK(parse_nonce("1-2") == edge::Nonce{1, 2});
    for (const char* wrong :
         {"", "1", "1-", "-2", "1-2-", "1-2x", "x1-2", " 1-2", "1--2", "18446744073709551616-1"}) {
        CAPTURE(wrong);
        CHECK(!parse_nonce(wrong));
    }
}
