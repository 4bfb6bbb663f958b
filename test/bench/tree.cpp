// What a task costs in deep and in wide runs, in time and in memory, and whether it costs the same however
// many there are:
//
//   tree [--runner] [N...]
//
// For each N (10,000, 100,000 and 1,000,000) it goes through
//   chain    a task that leads to one that leads to one …, N in all, with a finally on the first
//   fan-out  a task that leads to N others, with a finally
//   nested   a chain with a finally on every task: all of them wait for the last
// with the workflow machine alone, which is decide, apply and take_ready. With --runner (1,000 and 10,000)
// the runner does it, and each task is a process; there are no nested ones then.
//
// A line a run: the time for each task, the most memory that was allocated at once, the same for each task,
// and both against those at the first N. Growth is in proportion if the ratios stay near 1 (memory of a chain
// is that of one task: there the ratio falls). Build it for Release, and leave the machine alone meanwhile.
#include "arguments.hpp"
#include "io/log.hpp"
#include "runner/runner.hpp"
#include "tree_memory.hpp"
#include "workflow/machine.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;
using Microseconds = std::chrono::duration<double, std::micro>;

constexpr config::StepId root{0}, leaf{1};

struct Shape {
    std::string_view name;
    bool is_chain;
    bool finally_everywhere;
};
constexpr Shape chain{"chain", true, false}, fan_out{"fan-out", false, false}, nested{"nested", true, true};

struct Cost {
    Microseconds time{0};
    std::size_t bytes = 0;
};

config::Step command_step(std::string name, std::string script) {
    config::Step step;
    step.name = std::move(name);
    step.action = config::Command{std::move(script)};
    step.next = {root, leaf};
    return step;
}

config::WorkflowConfig workflow_of(const Shape& shape, std::string root_script, std::string leaf_script) {
    config::WorkflowConfig config;
    config.steps = {command_step("Root", std::move(root_script)),
                    command_step("Leaf", std::move(leaf_script))};
    config.steps[0].finally = config::Command{"echo '[]'"};
    if (shape.finally_everywhere) config.steps[1].finally = config.steps[0].finally;
    config.by_name = {{"Root", root}, {"Leaf", leaf}};
    config.directory = std::filesystem::temp_directory_path().string();
    return config;
}

[[noreturn]] void fail(std::string_view message) {
    std::fprintf(stderr, "tree: %.*s\n", static_cast<int>(message.size()), message.data());
    std::exit(1);
}

// All but the tasks themselves is done by the rules alone.
void run_machine(const Shape& shape, std::size_t count) {
    auto config = workflow_of(shape, "", "");
    workflow::State state(config);
    auto apply = [&](const workflow::Group& group) {
        for (const auto& entry : group)
            workflow::apply(config, state, entry).value();
    };
    apply(workflow::decide_initial(state, {{root, "{}"}}));
    std::size_t left = count;
    while (auto task = workflow::take_ready(config, state)) {
        std::size_t children = std::min<std::size_t>(left, shape.is_chain ? 1 : count);
        if (state.find(*task)->finally_for) children = 0;
        left -= children;
        std::vector<config::NewTask> next(children, {leaf, "{}"});
        apply(workflow::decide(config, state, *task, std::move(next)));
    }
    if (!state.over() || left > 0) fail("the machine has left tasks undone");
}

boost::asio::awaitable<void> run_to_end(runner::Runner& runner, runner::Outcome& outcome) {
    outcome = co_await runner.run();
}

void run_runner(const Shape& shape, std::size_t count) {
    std::string limit = std::to_string(count);
    std::string one = R"(echo '[{"kind":"Leaf","value":{}}]')";
    std::string all =
        R"(awk 'BEGIN { printf "["; for (i = 1; i < )" + limit +
        R"(; ++i) printf "{\"kind\":\"Leaf\",\"value\":{}},"; print "{\"kind\":\"Leaf\",\"value\":{}}]" }')";
    auto config = shape.is_chain ? workflow_of(shape, one,
                                               "[ $BARNUM_TASK_ID -ge " + limit + " ] && echo '[]' || " + one)
                                 : workflow_of(shape, all, "echo '[]'");
    boost::asio::io_context context(1);
    runner::Settings settings;
    settings.run_id = "bench";
    settings.jobs = std::max(4u, 2 * std::thread::hardware_concurrency());
    statelog::Start start{workflow::State(config), {}, 0};
    for (const auto& entry : workflow::decide_initial(start.state, {{root, "{}"}}))
        workflow::apply(config, start.state, entry).value();
    runner::Runner runner(context.get_executor(), config, std::move(settings), std::move(start));
    runner::Outcome outcome;
    boost::asio::co_spawn(context, run_to_end(runner, outcome), [](std::exception_ptr exception) {
        if (exception) std::rethrow_exception(exception);
    });
    context.run();
    if (!outcome.all_well() || outcome.steps[leaf.value].done != count) fail("the run has left tasks undone");
}

using RunFunction = void (*)(const Shape&, std::size_t);

// The fastest of some runs, of which the runner, whose time goes into processes, needs fewer.
Cost measure(RunFunction run, const Shape& shape, std::size_t count) {
    const int least = run == run_machine ? 5 : 1;
    Cost best{Microseconds::max(), 0};
    auto began = Clock::now();
    for (int i = 0; i < least || Clock::now() - began < std::chrono::milliseconds(200); ++i) {
        tree::MemoryCount memory;
        auto start = Clock::now();
        run(shape, count);
        best.time = std::min(best.time, Microseconds(Clock::now() - start));
        best.bytes = memory.peak();
    }
    return best;
}

void print_shape(RunFunction run, const Shape& shape, const std::vector<std::size_t>& counts) {
    double first_time = 0, first_bytes = 0;
    for (std::size_t count : counts) {
        Cost cost = measure(run, shape, count);
        auto tasks = static_cast<double>(count);
        double time = cost.time.count() / tasks, bytes = static_cast<double>(cost.bytes) / tasks;
        if (count == counts.front()) first_time = time, first_bytes = bytes;
        std::printf("%-8s %9zu %12.3f %7.2f %10zu %9.1f %7.2f\n", shape.name.data(), count, time,
                    time / first_time, cost.bytes / 1024, bytes, bytes / first_bytes);
        std::fflush(stdout);
    }
}

}  // namespace

int main(int argc, char** argv) {
    std::vector<std::string_view> arguments(argv + 1, argv + argc);
    bool with_runner = !arguments.empty() && arguments[0] == "--runner";
    std::vector<std::size_t> counts;
    for (int i = with_runner ? 2 : 1; i < argc; ++i)
        counts.push_back(bench::positive(argv[i], "usage: tree [--runner] [N...]\n"));
    if (counts.empty())
        counts = with_runner ? std::vector<std::size_t>{1'000, 10'000}
                             : std::vector<std::size_t>{10'000, 100'000, 1'000'000};
    std::signal(SIGPIPE, SIG_IGN);
    io::log::set_level(io::log::Level::error);
    std::printf("%-8s %9s %12s %7s %10s %9s %7s\n", "shape", "tasks", "us/task", "ratio", "peak KiB",
                "B/task", "ratio");
    RunFunction run = with_runner ? run_runner : run_machine;
    print_shape(run, chain, counts);
    print_shape(run, fan_out, counts);
    if (!with_runner) print_shape(run, nested, counts);
}
