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

base::Result<workflow::AttemptEnd> no_tasks() {
    return workflow::AttemptEnd(std::vector<config::NewTask>());
}

// Ends each attempt at the loop's next turn: the root with the leaves, and leaves with what the test says.
class StandIn : public runner::AttemptRunner {
  public:
    using Result = base::Result<workflow::AttemptEnd>;

    std::function<Result()> end_leaf = [] { return no_tasks(); };
    std::size_t started = 0;
    std::size_t running = 0;
    std::size_t most_running = 0;

    asio::awaitable<Result> run(runner::Attempt attempt, runner::Job /*job*/) override {
        ++started;
        most_running = std::max(most_running, ++running);
        co_await asio::post(asio::deferred);
        --running;
        if (attempt.step == root)
            co_return workflow::AttemptEnd(std::vector(leaves, config::NewTask{leaf, "{}"}));
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
        statelog::Start start{workflow::State(config), {}, 0};
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
        return no_tasks();
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
        return no_tasks();
    };
    auto outcome = run.to_its_end();
    CHECK(outcome.end == runner::Outcome::End::pool_unreachable);
    CHECK(outcome.message == "the pool is gone");
    CHECK(stand_in.started == 20);
}

TEST_CASE("a run that winds down starts nothing more, and finishes what runs") {
    StandIn stand_in;
    Run run(stand_in);
    stand_in.end_leaf = [&] {
        if (stand_in.started == 20) run.runner->wind_down(runner::Outcome::End::no_agents, "nobody is left");
        return no_tasks();
    };
    auto outcome = run.to_its_end();
    CHECK(outcome.end == runner::Outcome::End::no_agents);
    CHECK(outcome.message == "nobody is left");
    CHECK(stand_in.started == 20);
    CHECK(outcome.steps[leaf.value].done == 19);
    CHECK(outcome.unfinished == leaves - 19);
}

TEST_CASE("a run whose last task winds it down has finished") {
    StandIn stand_in;
    Run run(stand_in);
    stand_in.end_leaf = [&] {
        if (stand_in.started == leaves + 1)
            run.runner->wind_down(runner::Outcome::End::no_agents, "nobody is left");
        return no_tasks();
    };
    auto outcome = run.to_its_end();
    CHECK(outcome.all_well());
    CHECK(outcome.message.empty());
}

TEST_CASE("an attempt that is not made winds down as if it had not begun") {
    StandIn stand_in;
    Run run(stand_in);
    stand_in.end_leaf = [&]() -> StandIn::Result {
        if (stand_in.started < 20) return no_tasks();
        run.runner->wind_down(runner::Outcome::End::budget_spent, "spent");
        return base::invalid("not submitted");
    };
    auto outcome = run.to_its_end();
    CHECK(outcome.end == runner::Outcome::End::budget_spent);
    CHECK(outcome.steps[leaf.value].done + outcome.unfinished == leaves);
    CHECK(outcome.unfinished >= leaves - 19);
}

TEST_CASE("a paused run starts nothing until it continues") {
    StandIn stand_in;
    Run run(stand_in);
    std::size_t started_in_pause = 0;
    std::function<void()> continue_when_idle = [&] {
        if (stand_in.running > 0) return asio::post(run.loop, continue_when_idle);
        started_in_pause = stand_in.started;
        run.runner->set_paused(false);
    };
    stand_in.end_leaf = [&] {
        if (stand_in.started == 20 && !run.runner->is_paused()) {
            run.runner->set_paused(true);
            asio::post(run.loop, continue_when_idle);
        }
        return no_tasks();
    };
    auto outcome = run.to_its_end();
    CHECK(started_in_pause == 20);
    CHECK(outcome.all_well());
    CHECK(stand_in.started == leaves + 1);
}

TEST_CASE("an attempt that is not made because of a pause is made later") {
    StandIn stand_in;
    Run run(stand_in);
    std::size_t not_made = 0;
    stand_in.end_leaf = [&]() -> StandIn::Result {
        if (stand_in.started != 20 || not_made > 0) return no_tasks();
        ++not_made;
        run.runner->set_paused(true);
        asio::post(run.loop, [&] { run.runner->set_paused(false); });
        return base::Error{std::make_error_code(std::errc::operation_canceled), "withdrawn"};
    };
    auto outcome = run.to_its_end();
    CHECK(not_made == 1);
    CHECK(outcome.all_well());
    CHECK(outcome.steps[leaf.value].done == leaves);
    CHECK(stand_in.started == leaves + 2);
}

TEST_CASE("the number of local processes can be changed while the run goes on") {
    StandIn stand_in;
    Run run(stand_in);
    stand_in.end_leaf = [&] {
        if (stand_in.started == 10) run.runner->set_jobs(7);
        return no_tasks();
    };
    run.to_its_end();
    CHECK(stand_in.most_running == 7);
}

TEST_CASE("with fewer local processes than run, none starts until enough have ended") {
    StandIn stand_in;
    Run run(stand_in);
    std::size_t most_later = 0;
    stand_in.end_leaf = [&] {
        if (stand_in.started == 10) run.runner->set_jobs(1);
        if (stand_in.started > 12) most_later = std::max(most_later, stand_in.running + 1);
        return no_tasks();
    };
    CHECK(run.to_its_end().all_well());
    CHECK(most_later == 1);
}
