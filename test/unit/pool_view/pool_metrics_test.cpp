#include "pool_view/pool_metrics.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
#include <vector>

using namespace std::chrono_literals;
using pool_protocol::AgentStatus;
using pool_protocol::Status;

namespace {

Status example(std::string pool) {
    Status status;
    status.pool = std::move(pool);
    status.started = 1'795'262'400'500ms;
    status.time = status.started + 1h;
    status.counts = {10, 1, 4, 1, 1, 2, 3, 5, 6, 7, 8};
    status.queue = {3, pool_protocol::QueueStatus::Head{"s1", status.time - 12'500ms}};
    status.queue.unmatched.push_back({{}, {}, 2, status.time});
    status.agents.resize(3);
    status.agents[0].state = AgentStatus::State::busy;
    status.agents[1].state = AgentStatus::State::busy;
    status.away = {{"a", {}, "claude (/home/\"me\")", status.time + 1h, "limit"},
                   {"b", {}, "claude (/home/\"me\")", status.time + 1h, "limit"},
                   {"c", {}, "", status.time + 1min, "exit code 75"}};
    status.task_duration.counts.fill(1);
    status.task_duration.counts.back() = 4;
    status.task_duration.count = 4;
    status.task_duration.sum = 60'250ms;
    return status;
}

std::vector<std::string> lines_of(const std::vector<Status>& pools) {
    metrics::Exposition out(metrics::Format::prometheus);
    pool_view::add_pool_metrics(out, pools);
    std::string text = out.finish();
    std::vector<std::string> lines;
    for (std::size_t begin = 0; begin < text.size(); begin = text.find('\n', begin) + 1)
        lines.push_back(text.substr(begin, text.find('\n', begin) - begin));
    return lines;
}

}  // namespace

TEST_CASE("a pool's status is told as metrics") {
    auto lines = lines_of({example("reviews")});
    for (const char* line : {R"(troupe_tasks_total{pool="reviews",outcome="processed"} 4)",
                             R"(troupe_tasks_total{pool="reviews",outcome="timed_out"} 1)",
                             R"(troupe_tasks_total{pool="reviews",outcome="withdrawn"} 2)",
                             R"(troupe_tasks_total{pool="reviews",outcome="invalid"} 3)",
                             R"(troupe_tasks_total{pool="reviews",outcome="failed"} 7)",
                             R"(troupe_tasks_submitted_total{pool="reviews"} 10)",
                             R"(troupe_queue_depth{pool="reviews"} 3)",
                             R"(troupe_queue_oldest_age_seconds{pool="reviews"} 12.5)",
                             R"(troupe_queue_unmatched{pool="reviews"} 2)",
                             R"(troupe_agents{pool="reviews",state="busy"} 2)",
                             R"(troupe_agents{pool="reviews",state="idle"} 1)",
                             R"(troupe_agents{pool="reviews",state="parked"} 2)",
                             R"(troupe_agents{pool="reviews",state="resting"} 1)",
                             R"x(troupe_agents_parked{pool="reviews",account="claude (/home/\"me\")"} 2)x",
                             R"(troupe_agents_kicked_total{pool="reviews"} 6)",
                             R"(troupe_agents_died_total{pool="reviews"} 8)",
                             R"(troupe_task_duration_seconds_bucket{pool="reviews",le="0.001"} 1)",
                             R"(troupe_task_duration_seconds_bucket{pool="reviews",le="86400.0"} 4)",
                             R"(troupe_task_duration_seconds_bucket{pool="reviews",le="+Inf"} 4)",
                             R"(troupe_task_duration_seconds_sum{pool="reviews"} 60.25)",
                             R"(troupe_draining{pool="reviews"} 0)",
                             R"(troupe_start_time_seconds{pool="reviews"} 1795262400.5)"}) {
        INFO(line);
        CHECK(std::ranges::count(lines, line) == 1);
    }
}

TEST_CASE("each family occurs once, with the samples of all pools together") {
    auto lines = lines_of({example("a"), example("b"), Status{}});
    std::string family;
    std::vector<std::string> seen;
    for (const std::string& line : lines) {
        if (line.starts_with("# TYPE ")) {
            family = line.substr(7, line.rfind(' ') - 7);
            CHECK(std::ranges::count(seen, family) == 0);
            seen.push_back(family);
        } else if (!line.empty() && line[0] != '#') {
            CHECK(line.starts_with(family));
        }
    }
    CHECK(std::ranges::count(lines, R"(troupe_queue_depth{pool="b"} 3)") == 1);
}

TEST_CASE("the number of samples does not grow with agents and tasks") {
    Status large = example("a");
    large.agents.resize(10'000);
    large.away.resize(1000, large.away[0]);
    CHECK(lines_of({large}).size() == lines_of({example("a")}).size());
}

TEST_CASE("the engine of a pool over many hosts is told, and its lag while it is connected") {
    Status here = example("here");
    here.engine.emplace();
    here.engine->is_connected = true;
    here.engine->lag = 250ms;
    here.engine->leases = 7;
    here.engine->counts.late_answers = 2;
    Status cut = example("cut");
    cut.engine.emplace();
    auto lines = lines_of({here, cut, example("single")});
    for (const char* line :
         {R"(troupe_engine_connected{pool="here"} 1)", R"(troupe_engine_connected{pool="cut"} 0)",
          R"(troupe_engine_lag_seconds{pool="here"} 0.25)", R"(troupe_engine_leases{pool="here"} 7)",
          R"(troupe_engine_late_answers_total{pool="here"} 2)",
          R"(troupe_engine_late_answers_total{pool="cut"} 0)"}) {
        INFO(line);
        CHECK(std::ranges::count(lines, line) == 1);
    }
    auto starts = [&](std::string_view text) {
        return std::ranges::count_if(lines, [&](const std::string& line) { return line.starts_with(text); });
    };
    CHECK(starts("troupe_engine_lag_seconds{") == 1);
    CHECK(starts("troupe_engine_leases{") == 2);
}
