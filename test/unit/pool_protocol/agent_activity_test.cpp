#include "pool_protocol/agent_activity.hpp"

#include "pool_protocol/answer.hpp"

#include <catch2/catch.hpp>

using namespace pool_protocol;

namespace {

const AgentActivity editing{"Edit libs/a.cpp", 7, 12'000, 9'000, 800, 0.31, "", 1'795'398'061'123};

std::optional<AgentActivity> read(std::string_view text) {
    return parse_activity(json::View::of(text));
}

}  // namespace

TEST_CASE("an activity is for people what is known of it") {
    CHECK(activity_text(editing) == "Edit libs/a.cpp · turn 7 · $0.31");
    CHECK(activity_text({"Edit libs/a.cpp", 0, 5, 5, 5, {}}) == "Edit libs/a.cpp");
    CHECK(activity_text({"", 2, 5, 5, 5, {}}) == "turn 2");
    CHECK(activity_text({"", 0, 5, 5, 5, 0.0042}) == "$0.0042");
    CHECK(activity_text({"", 0, 5, 5, 5, 0.31, "2026-08-21"}) == "about $0.31");
    CHECK(activity_text({}).empty());
}

TEST_CASE("an activity is read as it was written, within its limits") {
    CHECK(read(to_json(editing)) == editing);
    CHECK(read(to_json(AgentActivity{})) == AgentActivity{});
    AgentActivity estimated{"", 0, 5, 5, 5, 0.31, "2026-08-21"};
    CHECK(read(to_json(estimated)) == estimated);
    AgentActivity huge{std::string(199, 'x') + "ä", 2'000'000'000, ~std::uint64_t(0), 0, 0, 1e300};
    auto bounded = read(to_json(huge));
    REQUIRE(bounded);
    CHECK(bounded->text == std::string(199, 'x'));  // not half a character
    CHECK(bounded->turn == 1'000'000);
    CHECK(bounded->input_tokens == 1'000'000'000'000);
    CHECK(bounded->usd == 1e9);
}

TEST_CASE("what is no activity is refused, and control characters do not get through") {
    for (const char* text :
         {"[]", "7", R"({"text":["a"]})", R"({"turn":"7"})", R"({"turn":1.5})", R"({"input_tokens":-1})",
          R"({"output_tokens":1e30})", R"({"usd":"1"})", R"({"usd":-1})"})
        CHECK_FALSE(read(text));
    CHECK_FALSE(read("{\"text\":\"" + std::string(201, 'x') + "\"}"));
    CHECK(read(R"({"text":"a\u001b[2J\nb\u007f","more":[]})")->text == "a [2J b ");
}

TEST_CASE("what is done at a task is read as it was written") {
    TaskActivity task{"s-1", "claude-1", editing};
    CHECK(
        to_json(task).starts_with(R"({"kind":"Activity","id":"s-1","agent":"claude-1","activity":{"text":)"));
    CHECK(parse_task_activity(to_json(task)) == task);
    TaskActivity over{"s-1", "claude-1", {}};
    CHECK(to_json(over) == R"({"kind":"Activity","id":"s-1","agent":"claude-1","activity":null})");
    CHECK(parse_task_activity(to_json(over)) == over);
    TaskActivity told_at_the_end{"s-1", "claude-1", {}, AgentActivity{"", 7, 12'000, 9'000, 800, 0.31}};
    CHECK(parse_task_activity(to_json(told_at_the_end)) == told_at_the_end);
}

TEST_CASE("other frames do not say what is done at a task") {
    CHECK_FALSE(parse_task_activity(to_json(Processed{"{\"kind\":\"Activity\",", {}}, "s-1")));
    for (const char* frame : {"", R"({"kind":"Activity",)", R"({"kind":"Activity","id":"s","agent":"a"})",
                              R"({"kind":"Activity","agent":"a","activity":null})",
                              R"({"kind":"Activity","id":"s","agent":"a","activity":{"turn":-1}})"})
        CHECK_FALSE(parse_task_activity(frame));
}
