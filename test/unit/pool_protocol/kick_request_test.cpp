#include "pool_protocol/kick_request.hpp"

#include <catch2/catch.hpp>

using namespace pool_protocol;
using Fate = KickedAgent::How;

TEST_CASE("a request to kick an agent is read as it was written") {
    CHECK(kick_request("a \"b\"") == R"({"kind":"Kick","agent":"a \"b\""})");
    CHECK(parse_kick_request(kick_request("a \"b\"")) == "a \"b\"");
    CHECK(parse_kick_request(R"( {"agent": "x", "kind": "Kick", "more": 1} )") == "x");
    for (const char* frame :
         {"", "Kick", "[\"Kick\"]", R"({"kind":"Kick"})", R"({"kind":"Kick","agent":1})",
          R"({"kind":"Kicked","agent":"x"})", R"({"kind":"Inline","content":"\"Kick\""})"})
        CHECK_FALSE(parse_kick_request(frame));
    CHECK_FALSE(parse_kick_request(kick_request(std::string(3000, 'x'))));
}

TEST_CASE("the answer tells each agent and what becomes of its task") {
    std::vector<KickedAgent> agents;
    for (Fate how : {Fate::dismissed, Fate::told, Fate::taken_from, Fate::ending})
        agents.push_back({"id-" + std::string(how_name(how)), "name", how});
    auto read = parse_kick_answer(kick_answer(agents));
    REQUIRE(read.has_value());
    REQUIRE(read->size() == agents.size());
    for (std::size_t i = 0; i < agents.size(); ++i) {
        CHECK(read->at(i).id == agents[i].id);
        CHECK(read->at(i).name == "name");
        CHECK(read->at(i).how == agents[i].how);
    }
    CHECK(parse_kick_answer(kick_answer({}))->empty());
    CHECK(parse_kick_answer(R"({"kind":"Kicks","agents":[1,{"how":"new"}]})")->empty());
}

TEST_CASE("a daemon that does not know the request is told from one that kicks nobody") {
    auto old = parse_kick_answer(R"({"kind":"NotProcessed","reason":"invalid","message":"m"})");
    REQUIRE(old.has_error());
    CHECK_THAT(old.error().message, Catch::Contains("cannot kick agents"));
    CHECK(parse_kick_answer("x").has_error());
    CHECK(parse_kick_answer(R"({"kind":"Kicks"})").has_error());
}
