#include "edge_shell/left_agents.hpp"

#include "edge_shell/outcomes.hpp"

#include <catch2/catch.hpp>

#include <cstdint>

using edge_shell::add_left;
using edge_shell::left_in;
using edge_shell::LeftAgents;
using edge_shell::with_left;

TEST_CASE("agents that have left travel with an answer, or alone") {
    const LeftAgents left{R"({"id":"1"})", R"({"id":"2","used":{}})"};
    const std::string alone = with_left("", left, SIZE_MAX);
    CHECK(alone == R"({"left":[{"id":"1"},{"id":"2","used":{}}]})");
    CHECK(left_in(alone) == left);
    const std::string answer = R"({"kind":"Processed","stdout":"[]"})";
    const std::string both = with_left(answer, left, SIZE_MAX);
    CHECK(left_in(both) == left);
    auto read = edge_shell::to_answer(edge::Outcome::processed, both);
    CHECK(std::get<pool_protocol::Processed>(read).response == "[]");
    CHECK(with_left(answer, {}, SIZE_MAX) == answer);
    CHECK(with_left("", {}, SIZE_MAX).empty());
}

TEST_CASE("they are left out where the engine has no room for them") {
    CHECK(with_left("{}", {R"({"id":"1"})"}, 10) == "{}");
}

TEST_CASE("any text can be looked at for agents that have left") {
    for (const char* text : {"", "{", "[]", R"({"left":[)", R"({"left":[1,"a",null]})",
                             R"({"kind":"x","left":[{}]})", R"({"left":7})"})
        CHECK(left_in(text).empty());
}

TEST_CASE("an agent is in the list once, and the list has a bound") {
    LeftAgents list;
    CHECK(add_left(list, {"1", "2"}));
    CHECK_FALSE(add_left(list, {"2", "1"}));
    CHECK(list == LeftAgents{"1", "2"});
    for (std::size_t i = 3; i <= edge_shell::most_left_agents + 2; ++i)
        add_left(list, {std::to_string(i)});
    CHECK(list.size() == edge_shell::most_left_agents);
    CHECK(list.front() == "3");
}
