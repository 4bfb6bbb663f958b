#include "commands/run/stub_run.hpp"

#include "base/exit_code.hpp"
#include "base/text.hpp"
#include "inspect/task_text.hpp"
#include "io/internal_error.hpp"
#include "io/log.hpp"
#include "json/shown_text.hpp"
#include "runner/runner.hpp"
#include "samples/stub_walk.hpp"
#include "terminal/width.hpp"
#include "workflow/counts.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <iostream>
#include <string>
#include <utility>

namespace barnum {

namespace asio = boost::asio;

namespace {

// Nothing takes time, so that nothing has to wait for its turn: the order is that in which tasks became
// ready.
constexpr std::size_t no_limit = 1'000'000'000;

// Tells each task, and answers it.
class StubAttempts : public runner::AttemptRunner {
  public:
    StubAttempts(const config::WorkflowConfig& config, samples::StubWalk& walk)
        : config_(config), walk_(walk), columns_(inspect::output_columns()) {}

    asio::awaitable<base::Result<workflow::AttemptEnd>> run(runner::Attempt attempt,
                                                            runner::Job /*job*/) override {
        auto next = walk_.answer(attempt.step, attempt.is_finally);
        tell(attempt, next);
        co_return workflow::AttemptEnd(std::move(next));
    }

  private:
    void tell(const runner::Attempt& attempt, const std::vector<config::NewTask>& next) const {
        std::string names;
        for (const config::NewTask& task : next)
            names += base::concat(names.empty() ? "" : ", ", config_.step(task.step).name);
        std::string name = runner::label(config_, attempt);
        std::string end = base::concat("  → ", names.empty() ? "[]" : names);
        std::size_t taken = terminal::width(name) + 2 + terminal::width(end);
        std::cout << name << "  " << inspect::short_value(*attempt.value, columns_, taken) << end << "\n";
    }

    const config::WorkflowConfig& config_;
    samples::StubWalk& walk_;
    std::size_t columns_;
};

asio::awaitable<void> run_to_end(runner::Runner& runner, runner::Outcome& outcome) {
    outcome = co_await runner.run();
}

runner::Outcome walk_all(const launch::RunPlan& plan, samples::StubWalk& walk, statelog::Start start) {
    StubAttempts attempts(*plan.config, walk);
    asio::io_context context(1);
    runner::Settings settings;
    settings.run_id = "stub";
    settings.jobs = no_limit;
    settings.stand_in = &attempts;
    runner::Runner runner(context.get_executor(), *plan.config, std::move(settings), std::move(start));
    runner::Outcome outcome;
    asio::co_spawn(context, run_to_end(runner, outcome), [](std::exception_ptr exception) {
        if (exception) std::rethrow_exception(exception);
    });
    io::run_loop(context);
    return outcome;
}

std::string names_of(const config::WorkflowConfig& config, const std::vector<config::StepId>& steps) {
    std::string names;
    for (config::StepId step : steps)
        names += base::concat(names.empty() ? "" : ", ", config.step(step).name);
    return names;
}

void print_outcome(const config::WorkflowConfig& config, const samples::StubWalk& walk, std::uint64_t tasks) {
    std::cout << "\n"
              << base::counted(tasks, "task") << " with made-up values; nothing was run\n"
              << "steps visited: " << walk.steps_visited() << " of " << config.steps.size()
              << "; transitions taken: " << walk.transitions_taken() << " of " << walk.transitions() << "\n";
    if (auto missed = walk.never_reached(); !missed.empty())
        std::cout << "warning: never reached: " << names_of(config, missed)
                  << (walk.met_open_finally()
                          ? " (unless a finally leads there: what it emits is not known here)"
                          : "")
                  << "\n";
}

}  // namespace

int run_stub(launch::RunPlan plan) {
    // The runner tells of tasks as though they were done.
    for (auto level : {io::log::Level::info, io::log::Level::debug, io::log::Level::trace})
        if (io::log::enabled(level)) io::log::set_level(io::log::Level::warn);
    samples::StubWalk walk(*plan.config);
    runner::Outcome outcome = walk_all(plan, walk, std::move(plan.start));
    if (!outcome.all_well()) {
        std::cout.flush();
        std::cerr << "barnum: " << json::shown_text(runner::headline(outcome)) << "\n";
        return base::ExitCode::failure;
    }
    print_outcome(*plan.config, walk, workflow::tasks_ended(outcome.steps));
    std::cout.flush();
    for (const std::string& failure : walk.failures())
        std::cerr << "barnum: " << json::shown_text(failure) << "\n";
    return walk.failures().empty() ? base::ExitCode::ok : base::ExitCode::failure;
}

}  // namespace barnum
