// Which conversations are remembered, and for how long.
#include "agents/conversations.hpp"

#include <catch2/catch.hpp>

using namespace agents;
using namespace std::chrono_literals;
using Kind = WorkEnd::Kind;

namespace {

Conversations::Key key(std::string_view content, std::string_view place = "/home/me/.claude") {
    agent_driver::Settings settings;
    settings.kind = agent_driver::AgentKind::claude;
    return Conversations::key(settings, place, content);
}

constexpr Conversations::Time begin{};

WorkEnd end_of(Kind kind, std::string session, int turns) {
    WorkEnd end;
    end.kind = kind;
    end.report.emplace();
    end.report->session = std::move(session);
    end.report->turns = turns;
    return end;
}

}  // namespace

TEST_CASE("a conversation is given once, for the same task and login") {
    Conversations kept;
    kept.keep(key("1"), {"s-1", {}}, begin);
    CHECK(kept.take(key("2"), begin).id.empty());
    CHECK(kept.take(key("1", "/home/me/.claude-2"), begin).id.empty());
    CHECK(kept.take(key("1"), begin).id == "s-1");
    CHECK(kept.take(key("1"), begin).id.empty());
}

TEST_CASE("equal tasks have a conversation each") {
    Conversations kept;
    kept.keep(key("1"), {"s-1", {}}, begin);
    kept.keep(key("1"), {"s-2", {}}, begin);
    CHECK(kept.take(key("1"), begin).id != kept.take(key("1"), begin).id);
    CHECK(kept.take(key("1"), begin).id.empty());
}

TEST_CASE("conversations are forgotten after a day, and the oldest of too many") {
    Conversations kept;
    kept.keep(key("old"), {"s-old", {}}, begin);
    CHECK(kept.take(key("old"), begin + 24h).id.empty());
    for (std::size_t i = 0; i <= Conversations::most; ++i)
        kept.keep(key(std::to_string(i)), {"s", {}}, begin + std::chrono::seconds(i));
    CHECK(kept.take(key("0"), begin + 1h).id.empty());
    CHECK(kept.take(key("1"), begin + 1h).id == "s");
}

TEST_CASE("what a limit has interrupted is worth going on with, if anything was done") {
    CHECK(is_worth_resuming(end_of(Kind::parked, "s", 1), false));
    CHECK(is_worth_resuming(end_of(Kind::unavailable, "s", 1), false));
    CHECK_FALSE(is_worth_resuming(end_of(Kind::parked, "s", 0), false));
    CHECK(is_worth_resuming(end_of(Kind::parked, "s", 0), true));
    CHECK_FALSE(is_worth_resuming(end_of(Kind::unavailable, "s", 0), true));
    CHECK_FALSE(is_worth_resuming(end_of(Kind::failed, "s", 1), false));
    for (const char* id : {"", "-s", "a b", "a\n", "../a"})
        CHECK_FALSE(is_worth_resuming(end_of(Kind::parked, id, 1), false));
    CHECK_FALSE(is_worth_resuming(WorkEnd(), false));
}

TEST_CASE("a program that ends before it has begun does not have the conversation") {
    CHECK(has_no_conversation(end_of(Kind::unusable, "", 0)));
    CHECK_FALSE(has_no_conversation(end_of(Kind::unusable, "s", 0)));
    CHECK_FALSE(has_no_conversation(end_of(Kind::parked, "", 0)));
    CHECK_FALSE(has_no_conversation(end_of(Kind::stopped, "", 0)));
    CHECK(lacks_conversation(end_of(Kind::unusable, "", 0), "s"));
    CHECK(lacks_conversation(end_of(Kind::responded, "other", 1), "s"));
    CHECK_FALSE(lacks_conversation(end_of(Kind::responded, "s", 1), "s"));
}
