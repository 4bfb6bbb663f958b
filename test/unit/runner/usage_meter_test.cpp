// What agents have used: in the budget, in the table and in the state log.
#include "runner/usage_meter.hpp"

#include "io/log.hpp"

#include <boost/asio/io_context.hpp>
#include <catch2/catch.hpp>

#include <string>
#include <vector>

namespace {

using workflow::TaskId;

constexpr TaskId first{0}, second{1};
constexpr config::StepId step{0};

config::WorkflowConfig one_step() {
    config::WorkflowConfig config;
    config.steps.resize(1);
    config.steps[0].action = config::PoolAction{"do it"};
    return config;
}

pool_protocol::TaskActivity activity(std::uint64_t tokens) {
    pool_protocol::TaskActivity told;
    told.activity.emplace().input_tokens = tokens;
    return told;
}

std::optional<pool_protocol::AgentReport> report(std::uint64_t tokens) {
    pool_protocol::AgentReport report;
    report.kind = "codex";
    report.input_tokens = tokens;
    return report;
}

struct Metered {
    explicit Metered(std::optional<std::uint64_t> tokens = std::nullopt) {
        io::log::set_level(io::log::Level::error);
        std::vector<config::NewTask> tasks{{step, "1"}, {step, "2"}};
        for (const auto& entry : workflow::decide_initial(state, std::move(tasks)))
            workflow::apply(config, state, entry).value();
        std::optional<config::BudgetLimits> budget;
        if (tokens) budget.emplace().tokens = tokens;
        meter.emplace(loop.get_executor(), group, state, runner::UsageMeter::Before{}, budget,
                      runner::UsageMeter::Callbacks{
                          [this](TaskId task, const workflow::AttemptUsage& used) {
                              notes.push_back({task.value, used.input_tokens});
                          },
                          [this](std::string message) { spent.push_back(std::move(message)); }});
    }

    std::uint64_t in_all() const { return meter->table().total().input_tokens; }

    boost::asio::io_context loop{1};
    io::TaskGroup group{loop.get_executor(), [](const std::string&, std::exception_ptr) {}};
    config::WorkflowConfig config = one_step();
    workflow::State state{config};
    std::vector<std::pair<std::uint64_t, std::uint64_t>> notes;  // task, tokens
    std::vector<std::string> spent;
    std::optional<runner::UsageMeter> meter;
};

using Notes = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

}  // namespace

TEST_CASE("what running attempts have used counts in the budget and in the table") {
    Metered run(100);
    run.meter->told(first, activity(60));
    CHECK(run.spent.empty());
    run.meter->told(second, activity(50));
    CHECK(run.spent == std::vector<std::string>{"the budget is spent: 110 of 100 tokens"});
    CHECK(run.in_all() == 110);
    CHECK(run.notes == Notes{{0, 60}, {1, 50}});
}

TEST_CASE(
    "an attempt's report replaces what was told of it, and counts in the table when its end is durable") {
    Metered run(100);
    run.meter->told(first, activity(60));
    auto final = report(70);
    run.meter->ended(first, step, final);
    CHECK(run.in_all() == 0);
    run.meter->count_ended(step, *final);
    CHECK(run.in_all() == 70);
    CHECK(run.meter->budget()->text() == "70 of 100 tokens");
    CHECK(run.spent.empty());
}

TEST_CASE("what an attempt has used that ends without a report is noted, and counts") {
    Metered run;
    run.meter->told(first, activity(60));
    run.meter->told(first, activity(80));  // too soon after the last note
    CHECK(run.notes == Notes{{0, 60}});
    std::optional<pool_protocol::AgentReport> none;
    run.meter->ended(first, step, none);
    CHECK(run.notes == Notes{{0, 60}, {0, 80}});
    CHECK(run.in_all() == 80);
    CHECK(run.meter->budget() == nullptr);
}

TEST_CASE("what is not written yet is noted at the end of the run") {
    Metered run;
    run.meter->reported(first, *report(60));
    CHECK(run.notes.empty());
    run.meter->note_all();
    CHECK(run.notes == Notes{{0, 60}});
}
