// What agents have used of attempts that have not ended, and when it is written.
#include "workflow/running_usage.hpp"

#include "random.hpp"

#include <catch2/catch.hpp>

using namespace workflow;
using namespace std::chrono_literals;
using pool_protocol::AgentReport;

namespace {

constexpr TaskId first{1}, second{2};

AttemptUsage use(std::uint64_t input, std::uint64_t output, std::optional<double> usd = {}) {
    AttemptUsage used;
    used.turn = 1;
    used.input_tokens = input;
    used.output_tokens = output;
    used.usd = usd;
    return used;
}

AgentReport report_with(std::uint64_t input, std::uint64_t output, int agents = 1) {
    AgentReport report;
    report.kind = "codex";
    report.turns = 1;
    report.input_tokens = input;
    report.output_tokens = output;
    report.agents = agents;
    return report;
}

// "1: 30+3, 2: 5+0"
std::string text(const RunningUsage::Notes& notes) {
    std::string out;
    for (const auto& [task, used] : notes)
        out += (out.empty() ? "" : ", ") + std::to_string(task.value) + ": " +
               std::to_string(used.input_tokens) + "+" + std::to_string(used.output_tokens);
    return out;
}

AttemptUsage since(AttemptUsage used, std::uint64_t begun) {
    used.since = begun;
    return used;
}

AgentReport report_since(std::uint64_t input, std::uint64_t begun, int agents = 1) {
    AgentReport report = report_with(input, 0, agents);
    report.since = begun;
    return report;
}

}  // namespace

TEST_CASE("what an attempt uses is written at once, and then at most once in ten seconds") {
    RunningUsage running;
    CHECK(!running.next_due());
    running.told(first, AttemptUsage{});  // nothing yet
    CHECK(!running.next_due());
    running.told(first, use(10, 1));
    CHECK(running.next_due() == 0ms);
    CHECK(text(running.take_due(5s)) == "1: 10+1");
    CHECK(!running.next_due());
    running.told(first, use(20, 2));
    running.told(second, use(5, 0));
    CHECK(text(running.take_due(6s)) == "2: 5+0");
    CHECK(running.next_due() == 15s);
    CHECK(text(running.take_due(15s - 1ms)).empty());
    running.told(first, use(30, 3));
    CHECK(text(running.take_due(15s)) == "1: 30+3");
    running.told(first, use(30, 3));
    CHECK(!running.next_due());
}

TEST_CASE("one attempt is written by itself") {
    RunningUsage running;
    running.told(first, use(10, 1));
    running.told(second, use(5, 0));
    CHECK(running.is_unwritten(first));
    CHECK(running.take_due(first, 1s) == use(10, 1));
    CHECK(!running.is_unwritten(first));
    CHECK(running.is_unwritten(second));
    running.told(first, use(11, 1));
    CHECK(!running.take_due(first, 2s));
    CHECK(running.is_unwritten(first));
    CHECK(text(running.take_due(2s)) == "2: 5+0");
    CHECK(running.take_due(first, 11s) == use(11, 1));
    CHECK(!running.take_due(TaskId{3}, 11s));
    CHECK(!running.is_unwritten(TaskId{3}));
}

TEST_CASE("the activity's text is no reason to write") {
    RunningUsage running;
    AttemptUsage used = use(10, 1);
    used.text = "Read a.txt";
    running.told(first, used);
    CHECK(running.take_due(0s).front().second.text.empty());
    used.text = "Read b.txt";
    running.told(first, used);
    CHECK(!running.next_due());
}

TEST_CASE("at the end of a run everything is written") {
    RunningUsage running;
    running.told(first, use(10, 1));
    running.take_due(0s);
    running.told(first, use(20, 2));
    CHECK(text(running.take_all()) == "1: 20+2");
    CHECK(running.take_all().empty());
}

TEST_CASE("the agents of an attempt are added up") {
    RunningUsage running;
    running.told(first, use(10, 1, 0.5));
    running.left(first);
    running.reported(first, report_with(11, 1));  // may come after it has left
    CHECK(text(running.totals()) == "1: 11+1");
    running.told(first, use(5, 0));
    CHECK(text(running.totals()) == "1: 16+1");
    running.reported(first, report_with(17, 2, 2));  // of both
    CHECK(text(running.totals()) == "1: 17+2");
}

TEST_CASE("what was used before the run was resumed becomes a part of the report") {
    RunningUsage running({{first, {{5s, use(10, 1, 0.25)}}}});
    CHECK(!running.next_due());
    CHECK(text(running.totals()) == "1: 10+1");
    running.told(first, use(5, 1));
    CHECK(text(running.take_due(0s)) == "1: 15+2");
    auto ended = running.ended(first, report_with(7, 2));
    REQUIRE(ended.report);
    CHECK(!ended.unreported);
    CHECK(ended.report->kind == "codex");
    CHECK(ended.report->input_tokens == 17);
    CHECK(ended.report->output_tokens == 3);
    CHECK(ended.report->turns == 2);
    CHECK(ended.report->agents == 2);
    CHECK(running.totals().empty());
}

TEST_CASE("an attempt that was put back keeps what it has used") {
    RunningUsage running;
    running.told(first, use(10, 1));
    running.put_back(first);
    running.put_back(second);  // has used nothing
    running.told(first, use(3, 0));
    CHECK(text(running.totals()) == "1: 13+1");
    running.reported(first, report_with(4, 1, 2));  // of both agents of this submission
    CHECK(text(running.totals()) == "1: 14+2");
    CHECK(running.ended(first, report_with(4, 1, 2)).report->input_tokens == 14);
}

TEST_CASE("an attempt without a report ends with what is known of it") {
    RunningUsage running;
    running.told(first, use(10, 1));
    auto ended = running.ended(first, std::nullopt);
    CHECK(!ended.report);
    REQUIRE(ended.unreported);
    CHECK(ended.unreported->input_tokens == 10);
    CHECK(!running.ended(first, std::nullopt).unreported);
    CHECK(running.ended(second, report_with(1, 1)).report->input_tokens == 1);
}

TEST_CASE("agents of other hosts have used what they told before they left") {
    RunningUsage running;
    // Handed back, and done by an agent that tells nothing before its report.
    running.told(first, since(use(5, 0), 100));
    running.left(first, since(use(10, 0), 100));
    CHECK(running.sum().tokens == 10);
    running.reported(first, report_since(3, 200));
    CHECK(running.sum().tokens == 13);
    auto report = running.ended(first, report_since(3, 200)).report;
    CHECK(report->input_tokens == 13);
    CHECK(report->agents == 2);
    CHECK(running.sum() == BudgetUse{});
    // A failure: the report is that of the agent that has left.
    running.left(first, since(use(10, 0), 100));
    running.told(first, since(use(1, 0), 200));
    running.left(first, since(use(4, 0), 200));
    CHECK(running.ended(first, report_since(4, 200)).report->input_tokens == 14);
    // On one host, the daemon has added them up.
    running.left(first, since(use(10, 0), 100));
    running.told(first, since(use(1, 0), 200));
    CHECK(running.ended(first, report_since(12, 100, 2)).report->input_tokens == 12);
    // The same work, whose agent was not seen for a while.
    running.told(first, since(use(10, 0), 100));
    running.left(first);
    running.told(first, since(use(11, 0), 100));
    CHECK(running.ended(first, std::nullopt).unreported->input_tokens == 11);
}

TEST_CASE("the end of an agent that is told late, or twice, counts once") {
    RunningUsage running;
    running.told(first, since(use(10, 0), 100));
    running.told(first, since(use(1, 0), 200));  // that the one before it has left was lost
    CHECK(text(running.totals()) == "1: 11+0");
    running.left(first, since(use(12, 0), 100));
    running.left(first, since(use(12, 0), 100));
    running.left(first, since(use(3, 0), 50));  // of which nothing was heard
    CHECK(text(running.totals()) == "1: 16+0");
    running.told(first, since(use(4, 0), 200));
    CHECK(text(running.totals()) == "1: 19+0");
    running.put_back(first);
    running.left(first, since(use(12, 0), 100));
    running.left(first, since(use(4, 0), 200));
    CHECK(text(running.totals()) == "1: 19+0");
    CHECK(running.ended(first, report_since(5, 300)).report->input_tokens == 24);
    // Nothing was heard of it before its report.
    running.told(first, since(use(10, 0), 100));
    CHECK(running.ended(first, report_since(5, 300)).report->input_tokens == 15);
}

TEST_CASE("what is an estimate stays one when it is added up") {
    RunningUsage running;
    auto estimate = use(10, 1, 0.25);
    estimate.price_list = "2026-08-21";
    running.told(first, estimate);
    CHECK(running.sum() == BudgetUse{11, 0.25, true});
    running.put_back(first);
    CHECK(running.ended(first, report_with(1, 1)).report->price_list == "2026-08-21");
    running.told(second, estimate);
    CHECK(running.ended(second, std::nullopt).unreported->price_list == "2026-08-21");
}

TEST_CASE("the sum is that of all attempts, also after a pause and a report about several agents") {
    RunningUsage running({{first, {{5s, use(10, 1, 0.25)}}}});
    CHECK(running.sum() == BudgetUse{11, 0.25});
    running.told(first, use(5, 0, 0.5));
    running.told(second, use(100, 0));
    CHECK(running.sum() == BudgetUse{116, 0.75});
    running.put_back(second);
    running.told(second, use(3, 0));
    running.left(second);
    running.told(second, use(4, 0));
    CHECK(running.sum() == BudgetUse{123, 0.75});
    running.reported(second, report_with(8, 1, 2));
    CHECK(running.sum() == BudgetUse{125, 0.75});
    CHECK(budget_use_of(*running.ended(second, report_with(8, 1, 2)).report).tokens == 109);
    CHECK(running.sum() == BudgetUse{16, 0.75});
    running.ended(first, std::nullopt);
    CHECK(running.sum() == BudgetUse{});
}

TEST_CASE("after random usage the sum is that of the attempts' totals") {
    std::uint32_t sequences = workflow_test::scaled(2000, 200);
    for (std::uint32_t seed = 0; seed < sequences; ++seed) {
        workflow_test::Random random(seed);
        INFO("seed " << seed);
        RunningUsage running({{first, {{5s, use(random.below(50), 1)}}}});
        for (int i = 0; i < 50; ++i) {
            const TaskId task{random.below(4)};
            const std::uint64_t amount = random.below(200);
            switch (random.below(8)) {
                case 0:
                    running.left(task);
                    break;
                case 5:
                    running.left(task, since(use(amount, 1), random.below(4)));
                    break;
                case 6:
                    running.told(task, since(use(amount, 1), random.below(4)));
                    break;
                case 1:
                    running.reported(task, report_with(amount, 1, random.one_in(2) ? 2 : 1));
                    break;
                case 2:
                    running.put_back(task);
                    break;
                case 3:
                    if (random.one_in(3)) running.ended(task, std::nullopt);
                    break;
                default:
                    running.told(task, use(amount, 2));
            }
            std::uint64_t sum = 0;
            for (const auto& [_, used] : running.totals())
                sum += budget_use_of(used).tokens;
            REQUIRE(running.sum().tokens == sum);
        }
    }
}

TEST_CASE("an agent that has gone on while the run was away is not counted twice") {
    const UsageHistory noted{{5s, use(10, 1)}, {20s, use(40, 4)}, {30s, use(60, 6)}};
    RunningUsage running({{first, noted}, {second, noted}});
    CHECK(text(running.totals()) == "1: 60+6, 2: 60+6");
    AttemptUsage told = use(55, 6);
    told.since = 8000;  // the first note is about the agent before it
    running.told(first, told);
    CHECK(text(running.totals()) == "1: 65+7, 2: 60+6");
    AgentReport later = report_with(7, 2);
    later.since = 31000;  // began after all notes
    running.reported(second, later);
    CHECK(text(running.totals()) == "1: 65+7, 2: 67+8");
    SECTION("its report is about itself") {
        AgentReport report = report_with(70, 9);
        report.since = 8000;
        running.reported(first, report);
        CHECK(running.ended(first, report).report->input_tokens == 80);
    }
    SECTION("its report is about both agents") {
        AgentReport both = report_with(80, 10, 2);
        both.since = 1000;
        running.reported(first, both);
        auto report = running.ended(first, both).report;
        CHECK(report->input_tokens == 80);
        CHECK(report->agents == 2);
    }
    SECTION("a pause does not bring the notes back") {
        running.put_back(first);
        told.since = 40000;
        running.told(first, told);
        CHECK(text(running.totals()) == "1: 120+13, 2: 67+8");
    }
}
