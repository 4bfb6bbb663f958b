#include "../trace/trace_helper.hpp"
#include "json/json.hpp"
#include "mcp/call.hpp"
#include "run_tools/shape.hpp"
#include "run_tools/task_results.hpp"
#include "run_tools/words.hpp"

#include <catch2/catch.hpp>

using namespace run_tools;

namespace {

constexpr std::string_view sums =
    R"({"steps":[{"step":"A","finally":false,"tasks":9,"waiting":4,"done":3,"dropped":2,"retried":1,"timed":5,)"
    R"("total_ms":70,"longest_ms":20},{"step":"A","finally":true,"tasks":0,"waiting":0,"done":0,"dropped":0,)"
    R"("retried":0,"timed":0,"total_ms":0,"longest_ms":0}],"usage":[
{"step":"A","kind":null,"usd":1.5}]})";
constexpr std::string_view state =
    R"J({"tasks":{"at_pool":2},"agents":{"idle":0,"busy":0,"resting":0,"parked":0,"parked_until":null},)J"
    R"J("standstill":null,"steps":[{"row":"A","waiting":1,"running":3,"at_pool":2,"waiting_for_human":1},)J"
    R"J({"row":"A (finally)","waiting":0,"running":0,"at_pool":0,"waiting_for_human":0}],)J"
    R"J("running":[{"id":4,"phase":"pool","since":1000,"activity":null},{"id":5,"phase":"human","since":1}]})J";

std::string object_of(const std::string& text, trace::Row row, std::size_t limit) {
    run_tools::TaskWanted wanted;
    wanted.row = row;
    wanted.limit = limit;
    auto object = run_tools::task_object(traced(text), lines_of(text), wanted);
    REQUIRE(object.has_value());
    REQUIRE_FALSE(json::check(*object));
    return *object;
}

bool has(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("mcp: a task is shown without what is null or internal, with values as JSON and times as text") {
    CHECK(
        run_tools::mcp_task_shape(
            R"({"row":3,"id":3,"finally":false,"parent":null,"children":[],"children_count":0,"value":"{\"n\":1.0}",)"
            R"("attempts":[{"row":3,"submitted":1,"started":null,"outcome":"retried","failure":{"exit_code":null,)"
            R"("message":"no","permanent":false},"response":"not JSON","report":{"turns":null,"usd":0.5},)"
            R"("lenient":true}]})") ==
        R"({"id":3,"value":{"n":1.0},"attempts":[{"submitted":"1970-01-01T00:00:00.001Z","outcome":"retried",)"
        R"("failure":{"message":"no"},"response":"not JSON","report":{"usd":0.5},"lenient":true}]})");
    CHECK(run_tools::mcp_task_shape(R"({"finally":true,"children":[1],"children_count":2,"value":"null"})") ==
          R"({"finally":true,"children":[1],"children_count":2,"value":null})");
    CHECK(run_tools::mcp_task_shape(R"({"value":"[1,","value_left_out":7})") ==
          R"({"value_excerpt":"[1,","value_left_out":7})");
}

TEST_CASE("mcp: what a value contains is left as it is") {
    std::string value = R"({"row":null,"started":5,"lenient":false,"value":"x"})";
    CHECK(run_tools::mcp_task_shape("{\"value\":" + json::quote(value) + "}") == "{\"value\":" + value + "}");
}

TEST_CASE("mcp: the counts of steps have what is running, if the run reports it") {
    CHECK(
        run_tools::mcp_sums_shape(sums, "") ==
        R"("steps":[{"step":"A","tasks":9,"waiting":4,"done":3,"dropped":2,"retried":1,"total_ms":70,"longest_ms":20},)"
        R"({"step":"A","finally":true,"tasks":0,"waiting":0,"done":0,"dropped":0}],"usage":[{"step":"A","usd":1.5}])");
    auto shown = run_tools::mcp_sums_shape(sums, state);
    CHECK(has(shown, R"("waiting":1,"running":2,"at_pool":2,"waiting_for_people":1,"done":3)"));
    CHECK(run_tools::mcp_running_tasks(state) == std::set<std::uint64_t>{4});
    CHECK(run_tools::mcp_running_member(state, 4) ==
          R"(,"running":{"phase":"pool","since":"1970-01-01T00:00:01.000Z"})");
    CHECK(run_tools::mcp_running_member(state, 5).empty());
    CHECK(run_tools::mcp_running_member("", 4).empty());
}

TEST_CASE("mcp: agents are missing if tasks are at a pool that has none") {
    run_tools::AtPool pool = run_tools::mcp_at_pool(state);
    CHECK(
        run_tools::missing_agents(pool, "--pool p").find("2 tasks wait for an agent, and none is attached") ==
        0);
    CHECK(has(run_tools::missing_agents(pool, "--pool p"), "`troupe agent --pool p --kind claude`"));
    pool.agents = 1;
    CHECK(run_tools::missing_agents(pool, "").empty());
    pool.agents.reset();
    CHECK(run_tools::missing_agents(pool, "").empty());
    pool.standstill = "none works";
    CHECK(run_tools::missing_agents(pool, "") == "none works");
    CHECK(run_tools::mcp_at_pool("").tasks == 0);
    CHECK(run_tools::missing_agents({0, 0, ""}, "").empty());
}

TEST_CASE("mcp: a task is cut until it fits") {
    std::string text = over;
    for (std::size_t limit : {std::string::npos, std::size_t{2'000}, std::size_t{600}})
        CHECK(object_of(text, 0, limit).size() <= limit);
    CHECK(has(object_of(text, 0, 2'000), R"("value":{"n":1.0})"));
}

TEST_CASE("mcp: of a log that was replaced meanwhile, nothing is shown") {
    trace::Trace empty("LOG");
    CHECK(run_tools::task_object(empty, lines_of(over), {}).has_error());
    CHECK(run_tools::tasks_result(empty, lines_of(over), "r", "", {}).has_error());
    CHECK(run_tools::human_tasks(empty).empty());
}

TEST_CASE("mcp: tasks are listed by their numbers, in pages") {
    std::string text = over;
    run_tools::TasksWanted wanted;
    wanted.most = 2;
    auto first = run_tools::tasks_result(traced(text), lines_of(text), "r", "", wanted);
    REQUIRE(first.has_value());
    CHECK(
        first->find(
            R"({"kind":"Tasks","run":"r","tasks":[{"id":0,"step":"A","state":"done","value":{"n":1.0}},)") ==
        0);
    CHECK(has(*first, R"("next_offset":2)"));
    wanted.state = "dropped";
    auto dropped = run_tools::tasks_result(traced(text), lines_of(text), "r", "", wanted);
    REQUIRE(dropped.has_value());
    CHECK(has(*dropped, R"("tasks":[{"id":1,"step":"B","state":"dropped")"));
    CHECK_FALSE(has(*dropped, "next_offset"));
    wanted.step = "Z";
    auto unknown = run_tools::tasks_result(traced(text), lines_of(text), "r", "", wanted);
    REQUIRE(unknown.has_error());
    CHECK(has(unknown.error().message, "The steps are: A, B"));
}

TEST_CASE("mcp: messages of commands name arguments and tools") {
    CHECK(run_tools::in_tool_words("--entrypoint-value has 1 error") == "`entrypoint_value` has 1 error");
    CHECK(run_tools::in_tool_words("--agent: no; --agent-exec, x--agent and --agents stay") ==
          "`agents`: no; --agent-exec, x--agent and --agents stay");
    CHECK(run_tools::in_tool_words(
              "--reuse: there is neither a run nor a file x; `barnum ps -a` lists the runs") ==
          "`reuse`: there is no run x; list_runs lists the runs");
    CHECK(run_tools::in_tool_words("").empty());
}
