#include "pool_view/status_view.hpp"

#include "pool_view/draining.hpp"
#include "terminal/units.hpp"
#include "terminal/width.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <ctime>

using terminal::age_text;
using terminal::duration_text;
using namespace pool_view;
using namespace std::chrono_literals;
using pool_protocol::AgentStatus;
using pool_protocol::Status;

namespace {

constexpr std::chrono::milliseconds noon = 1'795'262'400s;  // 2026-11-21 12:00:00 UTC

AgentStatus agent(std::string name, AgentStatus::State state, std::chrono::milliseconds age,
                  std::string submission = "") {
    AgentStatus agent;
    agent.id = "id-of-" + name;
    agent.name = std::move(name);
    agent.state = state;
    agent.submission = std::move(submission);
    agent.since = noon - age;
    return agent;
}

Status example() {
    ::setenv("TZ", "UTC", 1);
    ::tzset();
    Status status;
    status.pool = "reviews";
    status.path = "/tmp/troupe/pools/reviews";
    status.pid = 4711;
    status.time = noon;
    status.started = noon - 2h - 5min;
    status.agents = {agent("idler", AgentStatus::State::idle, 500ms),
                     agent("quick", AgentStatus::State::busy, 2s, "s-quick"),
                     agent("asked", AgentStatus::State::heartbeat, 90s),
                     agent("slow", AgentStatus::State::busy, 3min + 20s, "s-slow")};
    status.queue = {3, pool_protocol::QueueStatus::Head{"s-next", noon - 12'345ms}};
    status.counts = {1034, 0, 1020, 3, 0, 6, 2, 1, 1};
    status.waiting = {1025, 83us, 1500us, 12'003ms, 2h + 5min};
    return status;
}

using Lines = std::vector<std::string>;

DisplayOptions sized(std::size_t columns, std::size_t rows) {
    return {{columns, rows}, false};
}

std::string without_colors(std::string text) {
    for (std::size_t at; (at = text.find('\x1b')) != std::string::npos;)
        text.erase(at, text.find('m', at) + 1 - at);
    return text;
}

}  // namespace

TEST_CASE("a status at full size") {
    const Lines expected{
        "pool reviews in /tmp/troupe/pools/reviews, process 4711",
        "running for 2 h 5 min, since 2026-11-21 09:55:00",
        "",
        "agents  2 busy, 1 idle, 1 checked by heartbeat",
        "queue   3 tasks, the first for 12.3 s",
        "",
        "submitted  processed  timeout  stopped  withdrawn  invalid  handed back  kicked",
        "     1034       1020        3        0          6        2            1       1",
        "",
        "                 p50          p90          p99          max",
        "waiting      0.08 ms       1.5 ms       12.0 s    2 h 5 min",
        "working            -            -            -            -",
        "",
        "agent  state              for  submission",
        "slow   busy        3 min 20 s  s-slow",
        "quick  busy             2.0 s  s-quick",
        "asked  heartbeat   1 min 30 s  -",
        "idler  idle             0.5 s  -",
    };
    CHECK(status_lines(example(), {}) == expected);
}

TEST_CASE("a daemon whose program was replaced is told to be of an earlier version") {
    Status status = example();
    status.version = "0.1.0+20261121.120000.4f1c2ab39";
    status.program_replaced = true;
    CHECK(
        status_lines(status, {})[2] ==
        "version 0.1.0+20261121.120000.4f1c2ab39, whose program was removed or replaced: restart the daemon");
}

TEST_CASE("labels are shown if there are any, and those that no agent has") {
    Status status = example();
    status.counts = {};
    base::Labels gpu = *base::Labels::of({"big", "gpu"});
    status.agents[0].labels = gpu;
    status.queue.unmatched = {{gpu, *base::Labels::of({"big"}), 2, noon - 40s}, {gpu, {}, 1, noon - 31s}};
    Lines lines = status_lines(status, {});
    CHECK(lines[5] == "        2 tasks for 40.0 s: no agent has the label big");
    CHECK(lines[6] == "        1 task for 31.0 s: no agent has all of the labels big, gpu");
    CHECK(lines[lines.size() - 5] == "agent  state              for  submission  labels");
    CHECK(lines[lines.size() - 4] == "slow   busy        3 min 20 s  s-slow      -");
    CHECK(lines.back() == "idler  idle             0.5 s  -           big, gpu");
}

TEST_CASE("what agents do is shown if one has told it") {
    Status status = example();
    status.agents[1].activity = pool_protocol::AgentActivity{"Edit libs/a\x1b.cpp", 7, 1, 1, 1, 0.31};
    status.agents[3].activity = pool_protocol::AgentActivity{std::string(100, 'x'), 0, 0, 0, 0, {}};
    Lines lines = status_lines(status, {});
    std::string blank(29, ' ');
    CHECK(Lines(lines.end() - 5, lines.end() - 1) ==
          Lines{"agent  state              for  doing" + std::string(57, ' ') + "submission",
                "slow   busy        3 min 20 s  " + std::string(59, 'x') + "…  s-slow",
                "quick  busy             2.0 s  Edit libs/a?.cpp · turn 7 · $0.31" + blank + "s-quick",
                "asked  heartbeat   1 min 30 s  -" + std::string(61, ' ') + "-"});
}

TEST_CASE("agents that are away are counted by their account and reason") {
    Status status = example();
    status.agents.clear();
    std::string account = "claude (/home/me/.claude)";
    status.away = {{"claude-1", {}, account, noon + 2h + 5min, "limit reached"},
                   {"codex", {}, "", noon + 8s, "exit\x1b code 75"},
                   {"claude-2", {}, account, noon + 2h, "limit reached"},
                   {"gemini", {}, "gemini (/home/me/.gemini)", noon + 3 * 24h, ""}};
    Lines lines = status_lines(status, {});
    CHECK(Lines(lines.begin() + 3, lines.begin() + 8) ==
          Lines{"agents  none attached", "away    1 agent until 12:00:08: resting: exit? code 75",
                "away    2 agents until 14:05:00: claude (/home/me/.claude) is parked: limit reached",
                "away    1 agent until 2026-11-24 12:00:00: gemini (/home/me/.gemini) is parked",
                "queue   3 tasks, the first for 12.3 s"});
}

TEST_CASE("an agent that ends its work is neither busy nor idle") {
    Status status = example();
    status.agents = {agent("slow", AgentStatus::State::busy, 3s, "s-slow"),
                     agent("late", AgentStatus::State::ending, 1s, "s-late"),
                     agent("calm", AgentStatus::State::idle, 1s)};
    Lines lines = status_lines(status, {});
    CHECK(lines[3] == "agents  1 busy, 1 idle, 1 ending their work");
    CHECK(Lines(lines.end() - 3, lines.end()) == Lines{"slow   busy             3.0 s  s-slow",
                                                       "late   ending           1.0 s  s-late",
                                                       "calm   idle             1.0 s  -"});
}

TEST_CASE("the counts of earlier daemons are in a row of their own, and each row is named") {
    Status status = example();
    status.total.emplace();
    status.total->since = noon - 48h;
    status.total->counts = status.counts;
    status.total->counts.submitted += 1000;
    DisplayOptions wide;
    wide.size.columns = 200;
    Lines lines = status_lines(status, wide);
    CHECK(lines[6].starts_with("daemons     submitted  "));
    CHECK(lines[7].starts_with("this one         1034  "));
    CHECK(lines[8].starts_with("all so far       2034  "));
    CHECK(lines[6].ends_with("  since"));
}

TEST_CASE("failed tasks and agents that died are counted where there were any") {
    Status status = example();
    status.counts.failed = 4;
    Lines lines = status_lines(status, {});
    CHECK(lines[6] ==
          "submitted  processed  timeout  stopped  withdrawn  invalid  handed back  kicked  failed");
    CHECK(lines[7].ends_with("1       4"));
    status.counts.died = 12;
    lines = status_lines(status, {});
    CHECK(lines[6].ends_with("kicked  failed  died"));
    CHECK(lines[7].ends_with("4    12"));
}

TEST_CASE("a pool where nothing has happened yet") {
    Status status = example();
    status.agents.clear();
    status.queue = {};
    status.counts = {};
    status.waiting = {};
    const Lines expected{
        "pool reviews in /tmp/troupe/pools/reviews, process 4711",
        "running for 2 h 5 min, since 2026-11-21 09:55:00",
        "",
        "agents  none attached",
        "queue   empty",
        "",
        "submitted  processed  timeout  stopped  withdrawn  invalid  handed back  kicked",
        "        0          0        0        0          0        0            0       0",
        "",
        "                 p50          p90          p99          max",
        "waiting            -            -            -            -",
        "working            -            -            -            -",
    };
    CHECK(status_lines(status, {}) == expected);
}

TEST_CASE("a narrow screen folds the counts, cuts lines and says how many agents it leaves out") {
    const Lines expected{
        "pool reviews in /tmp/troupe/pools/revie…",
        "running for 2 h 5 min, since 2026-11-21…",
        "",
        "agents  2 busy, 1 idle, 1 checked by he…",
        "queue   3 tasks, the first for 12.3 s",
        "",
        "submitted  processed  timeout  stopped",
        "     1034       1020        3        0",
        "withdrawn  invalid  handed back  kicked",
        "        6        2            1       1",
        "",
        "                 p50          p90      …",
        "waiting      0.08 ms       1.5 ms      …",
        "working            -            -      …",
        "",
        "agent  state              for  submissi…",
        "slow   busy        3 min 20 s  s-slow",
        "quick  busy             2.0 s  s-quick",
        "… and 2 agents more",
        "",
        "q: quit",
    };
    CHECK(screen_lines(example(), sized(40, 21)) == expected);
}

TEST_CASE("on a low screen agents go before numbers") {
    const Lines expected{
        "pool reviews in /tmp/troupe/pools/reviews, process 4711",
        "running for 2 h 5 min, since 2026-11-21 09:55:00",
        "",
        "agents  2 busy, 1 idle, 1 checked by heartbeat",
        "queue   3 tasks, the first for 12.3 s",
        "",
        "agent  state              for  submission",
        "slow   busy        3 min 20 s  s-slow",
        "quick  busy             2.0 s  s-quick",
        "asked  heartbeat   1 min 30 s  -",
        "idler  idle             0.5 s  -",
        "",
        "q: quit",
    };
    CHECK(screen_lines(example(), sized(80, 13)) == expected);
}

TEST_CASE("a screen has as many lines as rows, and none is too long, whatever its size") {
    Status status = example();
    status.draining = true;
    status.counts.recovered = 5;
    for (std::size_t columns = 1; columns < 100; columns += 7)
        for (std::size_t rows = 2; rows < 40; ++rows) {
            auto lines = screen_lines(status, {{columns, rows}, true});
            INFO(columns << " by " << rows);
            CHECK(lines.size() == rows);
            CHECK(without_colors(lines.back()).starts_with(columns < 6 ? "" : "q: quit"));
            for (const std::string& line : lines)
                CHECK(terminal::width(line) <= columns);
        }
}

TEST_CASE("a screen without a status says why") {
    CHECK(screen_lines("no daemon", sized(20, 4)) == Lines{"no daemon", "", "", "q: quit"});
    CHECK(screen_lines("no daemon serves it; start one", sized(20, 4)) ==
          Lines{"no daemon serves it;", "start one", "", "q: quit"});
    CHECK(screen_lines("in /a/long/path, none", sized(12, 5)) ==
          Lines{"in", "/a/long/pat…", "none", "", "q: quit"});
}

TEST_CASE("colours change nothing but colours") {
    Status status = example();
    status.draining = true;
    Lines colored = status_lines(status, {{80, 30}, true});
    Lines plain = status_lines(status, sized(80, 30));
    REQUIRE(colored.size() == plain.size());
    CHECK(colored != plain);
    for (std::size_t i = 0; i < plain.size(); ++i)
        CHECK(without_colors(colored[i]) == plain[i]);
}

TEST_CASE("a pool that drains says so, and recovered tasks are counted") {
    Status status = example();
    status.draining = true;
    status.counts.recovered = 5;
    Lines lines = status_lines(status, {});
    CHECK(lines[2] == "draining: tasks are no longer assigned; " + pool_view::draining_text(status));
    CHECK(lines[7].starts_with("submitted  recovered  processed  "));
    CHECK(lines[8].starts_with("     1034          5       1020  "));
}

TEST_CASE(
    "agents without a name show their id, withdrawn work is marked, and nothing reaches the terminal raw") {
    Status status = example();
    status.agents = {agent("", AgentStatus::State::busy, 1s), agent("a\x1b[2J", AgentStatus::State::idle, 1s),
                     agent(std::string(100, 'n'), AgentStatus::State::idle, 2s)};
    Lines lines = status_lines(status, {});
    CHECK(lines[14] == "id-of-                            busy             1.0 s  (withdrawn)");
    CHECK(lines[15] == std::string(31, 'n') + "…  idle             2.0 s  -");
    CHECK(lines[16] == "a?[2J                             idle             1.0 s  -");
}

TEST_CASE("ten thousand agents are told in as many lines as there is room for") {
    Status status = example();
    status.agents.clear();
    for (int i = 0; i < 10'000; ++i)
        status.agents.push_back(
            agent(std::to_string(i), AgentStatus::State::busy, std::chrono::seconds(i), "s"));
    Lines lines = status_lines(status, sized(80, 20));
    REQUIRE(lines.size() == 20);
    CHECK(lines[14] == "9999   busy        2 h 46 min  s");
    CHECK(lines[19] == "… and 9995 agents more");
    CHECK(status_lines(status, {}).size() == 14 + 10'000);
}

TEST_CASE("durations") {
    CHECK(duration_text(-1us) == "<0.01 ms");
    CHECK(duration_text(9us) == "<0.01 ms");
    CHECK(duration_text(10us) == "0.01 ms");
    CHECK(duration_text(83us) == "0.08 ms");
    CHECK(duration_text(999us) == "0.99 ms");
    CHECK(duration_text(1500us) == "1.5 ms");
    CHECK(duration_text(10ms) == "10 ms");
    CHECK(duration_text(999'999us) == "999 ms");
    CHECK(duration_text(1s) == "1.0 s");
    CHECK(duration_text(59'999ms) == "59.9 s");
    CHECK(duration_text(60s) == "1 min 0 s");
    CHECK(duration_text(1h) == "1 h 0 min");
    CHECK(duration_text(49h) == "2 d 1 h");
    CHECK(age_text(-5ms) == "0.0 s");
    CHECK(age_text(999ms) == "0.9 s");
    CHECK(age_text(1s) == "1.0 s");
}

TEST_CASE("columns stay in place when the cells before them change") {
    Status status = example();
    status.agents = {agent("a", AgentStatus::State::busy, 1s, "s-1"),
                     agent("b", AgentStatus::State::idle, 59min + 59s)};
    status.agents[0].activity = pool_protocol::AgentActivity{"Edit", 7, 1, 1, 1, {}};
    Lines before = status_lines(status, {});
    status.agents[0].since = noon - 2min;
    status.agents[0].activity->text = std::string(100, 'x');
    status.agents[1].state = AgentStatus::State::heartbeat;
    status.waiting = {1025, 12min + 34s, 12min + 34s, 12min + 34s, 12min + 34s};
    Lines after = status_lines(status, {});
    CHECK(before[before.size() - 3] == after[after.size() - 3]);
    CHECK(before[9] == after[9]);
}
