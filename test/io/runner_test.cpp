#include "runner/runner.hpp"

#include "io/log.hpp"
#include "io_helper.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/post.hpp>

#include <algorithm>
#include <functional>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

namespace asio = boost::asio;

namespace {

constexpr config::StepId root{0}, leaf{1};
constexpr std::size_t leaves = 50;

config::WorkflowConfig fan_out_config() {
    config::WorkflowConfig config;
    config.steps.resize(2);
    config.steps[0].name = "Root";
    config.steps[0].action = config::Command{"true"};
    config.steps[0].next = {leaf};
    config.steps[1].name = "Leaf";
    config.steps[1].action = config::Command{"true"};
    return config;
}

// Ends each attempt at the loop's next turn: the root with the leaves, and leaves with what the test says.
class StandIn : public runner::AttemptRunner {
  public:
    using Result = base::Result<workflow::AttemptResult>;

    std::function<Result()> end_leaf = [] { return Result(std::vector<config::NewTask>()); };
    std::size_t started = 0;
    std::size_t running = 0;
    std::size_t most_running = 0;

    asio::awaitable<Result> run(runner::Attempt attempt, runner::Job /*job*/) override {
        ++started;
        most_running = std::max(most_running, ++running);
        co_await asio::post(asio::deferred);
        --running;
        if (attempt.step == root)
            co_return workflow::AttemptResult(std::vector(leaves, config::NewTask{leaf, "{}"}));
        co_return end_leaf();
    }
};

// A run of a task that leads to fifty others, three at once.
struct Run {
    explicit Run(StandIn& stand_in) {
        io::log::set_level(io::log::Level::error);
        runner::Settings settings;
        settings.jobs = 3;
        settings.stand_in = &stand_in;
        runner::Start start{workflow::State(config), {}, 0};
        for (const auto& entry : workflow::decide_initial(start.state, {{root, "{}"}}))
            workflow::apply(config, start.state, entry).value();
        runner.emplace(loop.get_executor(), config, std::move(settings), std::move(start));
    }

    runner::Outcome to_its_end() {
        runner::Outcome outcome;
        asio::co_spawn(
            loop, runner->run(),
            asio::bind_cancellation_slot(cancellation.slot(), [&](std::exception_ptr, runner::Outcome ended) {
                outcome = std::move(ended);
            }));
        loop.run();
        return outcome;
    }

    config::WorkflowConfig config = fan_out_config();
    asio::io_context loop{1};
    asio::cancellation_signal cancellation;
    std::optional<runner::Runner> runner;
};

}  // namespace

TEST_CASE("tasks that begin with a local process use all jobs, and never more") {
    StandIn stand_in;
    Run run(stand_in);
    auto outcome = run.to_its_end();
    CHECK(outcome.all_well());
    CHECK(outcome.steps[leaf.value].done == leaves);
    CHECK(stand_in.most_running == 3);
}

TEST_CASE("nothing is started after a cancellation, and what has ended by then counts") {
    StandIn stand_in;
    Run run(stand_in);
    stand_in.end_leaf = [&] {
        if (stand_in.started == 20) run.cancellation.emit(asio::cancellation_type::terminal);
        return StandIn::Result(std::vector<config::NewTask>());
    };
    auto outcome = run.to_its_end();
    CHECK(outcome.end == runner::Outcome::End::cancelled);
    CHECK(stand_in.started == 20);
    CHECK(outcome.steps[leaf.value].done + outcome.unfinished == leaves);
    CHECK(outcome.steps[leaf.value].done >= 17);
}

TEST_CASE("an attempt's error ends the run, and nothing is started after it") {
    StandIn stand_in;
    Run run(stand_in);
    bool failed = false;
    stand_in.end_leaf = [&]() -> StandIn::Result {
        if (stand_in.started == 20 && !std::exchange(failed, true)) return base::invalid("the pool is gone");
        return std::vector<config::NewTask>();
    };
    auto outcome = run.to_its_end();
    CHECK(outcome.end == runner::Outcome::End::pool_unreachable);
    CHECK(outcome.message == "the pool is gone");
    CHECK(stand_in.started == 20);
}

TEST_CASE("an exception out of an attempt ends the run and is told") {
    StandIn stand_in;
    Run run(stand_in);
    stand_in.end_leaf = [&]() -> StandIn::Result {
        if (stand_in.started == 20) throw std::logic_error("a bug");
        return std::vector<config::NewTask>();
    };
    auto outcome = run.to_its_end();
    CHECK(outcome.end == runner::Outcome::End::internal_error);
    CHECK(outcome.message.ends_with(": a bug"));
}
