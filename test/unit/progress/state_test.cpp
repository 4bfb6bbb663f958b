#include "progress/state.hpp"

#include "json/json.hpp"
#include "runs.hpp"

#include <catch2/catch.hpp>

using namespace runs;
using progress::WallTime;

namespace {

// One task of Review, which has a `finally`, is at an agent; one waits for a person, and one for its turn.
Model reviewing() {
    Model model({{"Re view", false, {1}, true, false, "Re\u202eview"},
                 {"Re view (finally)", true, {0}, false, false, "Re\u202eview"},
                 {"Ask", false, {}, false, true, "Ask"}},
                {{2, 0, 0, 0, 0}, {}, {1, 0, 0, 0, 0}}, at(0ms));
    model.started(3, 0, 1, at(1s));
    model.entered(3, TaskPhase::pool);
    model.activity(3, "claude-1: \"x\"");
    model.started(4, 2, 1, at(2s));
    model.entered(4, TaskPhase::human);
    return model;
}

json::View member(json::View object, std::string_view name) {
    auto found = object.find(name);
    REQUIRE(found.has_value());
    return *found;
}

}  // namespace

TEST_CASE("a state names the running tasks, with the time since which they are running") {
    std::string text = progress::state(WallTime(1'000'000ms), reviewing(), {}, {}, at(5s));
    CHECK(
        text ==
        R"({"elapsed_ms":5000,"paused":false,"rate":null,)"
        R"("tasks":{"waiting":1,"running":2,"at_pool":1,"waiting_for_human":1,"done":0,"dropped":0,"retried":0},)"
        R"("agents":null,"standstill":null,"usage":null,"steps":[)"
        "{\"row\":\"Re\u202eview\","
        R"("waiting":1,"running":1,"at_pool":1,"waiting_for_human":0,"done":0,"dropped":0,"retried":0,"eta_seconds":null},)"
        "{\"row\":\"Re\u202eview (finally)\","
        R"("waiting":0,"running":0,"at_pool":0,"waiting_for_human":0,"done":0,"dropped":0,"retried":0,"eta_seconds":null},)"
        R"({"row":"Ask","waiting":0,"running":1,"at_pool":0,"waiting_for_human":1,"done":0,"dropped":0,"retried":0,"eta_seconds":null}],)"
        "\"running\":[{\"id\":3,\"step\":\"Re\u202eview\","
        R"("finally":false,"phase":"pool","since":996000,"activity":"claude-1: \"x\""},)"
        R"({"id":4,"step":"Ask","finally":false,"phase":"human","since":997000,"activity":null}],"more":0})");
}

TEST_CASE("a state has the rate, the ETAs, the agents and what was used") {
    progress::Agents agents{1, 2};
    agents.standstill = "all rest";
    std::string text = progress::state(WallTime(1s), small(), agents, spent(), at(40s));
    auto state = json::View::of(text);
    REQUIRE(json::check(text) == std::nullopt);
    CHECK(member(state, "rate").number() == Approx(1.034));
    CHECK(member(member(state, "agents"), "busy").integer() == 2);
    CHECK(member(state, "standstill").string() == "all rest");
    CHECK(member(member(state, "usage"), "rows").elements().size() == 3);
    CHECK(member(member(state, "steps").elements()[1], "eta_seconds").integer().value() > 100);
}

TEST_CASE("a state names the longest-running tasks alone, and how many others there are") {
    constexpr std::size_t tasks = 100'000;
    Model model({{"A", false, {}, false, true, "A"}}, {{tasks, 0, 0, 0, 0}}, at(0ms));
    for (std::uint64_t id = 0; id < tasks; ++id)
        model.started(id, 0, 1, at(1s));
    for (std::uint64_t id = 0; id < 2000; ++id)
        model.entered(id, TaskPhase::human);
    std::string text = progress::state(WallTime(1s), model, {}, {}, at(5s));
    auto running = member(json::View::of(text), "running").elements();
    REQUIRE(running.size() == 1000);
    CHECK(member(running[0], "id").integer() == 2000);
    CHECK(member(running[500], "phase").string() == "human");
    CHECK(member(json::View::of(text), "more").integer() == tasks - 1000);
}
