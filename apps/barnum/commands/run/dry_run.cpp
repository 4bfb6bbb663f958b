#include "commands/run/dry_run.hpp"

#include "base/exit_code.hpp"
#include "base/text.hpp"
#include "commands/run/refusal_code.hpp"
#include "fail.hpp"
#include "inspect/task_text.hpp"
#include "io/directory.hpp"
#include "launch/begin_run.hpp"
#include "live_run/agent_preview.hpp"
#include "pool_daemon/daemon.hpp"
#include "pool_protocol/names.hpp"
#include "runner/attempt.hpp"
#include "terminal/width.hpp"
#include "workflow/budget.hpp"
#include "workflow/machine.hpp"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <tuple>
#include <unistd.h>
#include <utility>
#include <vector>

namespace barnum {

namespace {

constexpr std::size_t tasks_shown = 20;
constexpr std::size_t label_width = 14;

void row(std::string_view label, const std::string& text) {
    std::cout << terminal::pad_right(label, label_width) << terminal::printable(text) << "\n";
}

// The file would be appended to, or made.
base::Result<void> check_log_file(const std::string& path) {
    std::error_code ignored;
    auto parent = std::filesystem::absolute(path).parent_path();
    bool there = std::filesystem::exists(path, ignored);
    bool is_directory = std::filesystem::is_directory(path, ignored);
    if (!is_directory && ::access(there ? path.c_str() : parent.c_str(), there ? W_OK : W_OK | X_OK) == 0)
        return {};
    if (is_directory) errno = EISDIR;
    return base::system_error(base::concat("cannot write the log file ", path));
}

std::string config_name(const launch::RunOptions& options) {
    if (options.resume_from) return base::concat("the one in the state log ", *options.resume_from);
    std::error_code ignored;
    bool is_file = std::filesystem::exists(options.config, ignored);
    return is_file ? std::filesystem::absolute(options.config).string() : "the text on the command line";
}

std::string pool_text(const launch::RunOptions& options, const pool_protocol::PoolDirectory& directory,
                      const launch::RunPlan& plan) {
    if (!launch::has_pool_steps(*plan.config)) return "not needed: no step is of kind Pool";
    if (options.has_own_pool())
        return base::concat("one of the run's own, ", pool_protocol::run_pool_prefix, "<run-id>");
    std::string text = base::concat(directory.pool, ", at ", directory.path, "; ");
    if (pool_daemon::is_served(directory)) return text + "a daemon serves it, and would be used";
    if (options.embedded_pool) return text + "no daemon serves it: the run would host it";
    return base::concat(text, "no daemon serves it: the run would wait for one, up to ",
                        options.pool_wait.count(), " s");
}

// A line for each group.
std::vector<std::string> agents_lines(const launch::RunOptions& options, const launch::RunPlan& plan) {
    if (options.agents.empty() && !launch::has_pool_steps(*plan.config)) return {"none of the run's own"};
    if (options.agents.empty())
        return {"none of the run's own: tasks of Pool steps wait until agents are attached to the pool"};
    if (!launch::has_pool_steps(*plan.config)) return {"none would be started: no step is of kind Pool"};
    std::vector<std::string> lines;
    for (const auto& group : options.agents)
        lines.push_back(live_run::preview(group, *plan.config));
    return lines;
}

std::string limits_text(const launch::RunOptions& options, const config::WorkflowConfig& config) {
    std::string tasks =
        config.max_concurrency ? base::counted(*config.max_concurrency, "task") : "any number of tasks";
    return base::concat(options.jobs, options.jobs == 1 ? " local process, " : " local processes, ", tasks,
                        " at once");
}

std::string bounds_text(const config::Bounds& bounds) {
    std::string text;
    auto add = [&](std::string_view name, const std::string& bound) {
        text += base::concat(text.empty() ? "" : ", ", name, " ", bound);
    };
    if (bounds.max_tasks) add("max_tasks", std::to_string(*bounds.max_tasks));
    if (bounds.max_depth) add("max_depth", std::to_string(*bounds.max_depth));
    if (bounds.max_run_seconds) add("max_run_seconds", inspect::seconds_text(*bounds.max_run_seconds));
    return text;
}

// The tasks are in the order in which they would start.
std::vector<workflow::TaskId> pending(const config::WorkflowConfig& config, const workflow::State& state) {
    std::vector<workflow::TaskId> tasks;
    for (const auto& [id, task] : state.tasks)
        if (task.status == workflow::Task::Status::ready || task.status == workflow::Task::Status::asked ||
            task.status == workflow::Task::Status::finally_due)
            tasks.push_back(id);
    auto turn = [&](workflow::TaskId id) {
        const workflow::Task& task = state.tasks.at(id);
        bool is_due =
            task.status == workflow::Task::Status::finally_due;  // gets its turn when the run begins
        return std::tuple(-config.step(task.step).options.priority, is_due, is_due ? id.value : task.turn);
    };
    std::ranges::sort(tasks, {}, turn);
    return tasks;
}

void report_task(const config::WorkflowConfig& config, workflow::TaskId id, const workflow::Task& task) {
    const config::Step& step = config.step(task.step);
    bool is_finally = task.finally_for || task.status == workflow::Task::Status::finally_due;
    bool is_due = task.status == workflow::Task::Status::finally_due;
    std::string name = is_due
                           ? base::concat("finally of task ", id.value, " ", step.name)
                           : runner::label(config, {id, task.step, task.attempt, task.value, is_finally, {}});
    if (task.attempt > 1 && !is_due) name += base::concat(" (attempt ", task.attempt, ")");
    std::cout << "  " << name << "  "
              << inspect::short_value(*task.value, inspect::output_columns(), terminal::width(name) + 4)
              << "\n      " << (is_finally ? "finally" : inspect::phases(step)) << "; "
              << inspect::options_text(step.options) << "\n";
}

// Says how many of the first tasks are reused; what follows from them is not known before the run.
std::string reuse_text(const launch::RunPlan& plan) {
    std::size_t reused = 0;
    auto tasks = pending(*plan.config, plan.start.state);
    for (workflow::TaskId id : tasks)
        if (plan.reuse->run->results().find(plan.start.state.tasks.at(id))) ++reused;
    return base::concat("of run ", plan.reuse->source.run_id, ": ", reused, " of ",
                        base::counted(tasks.size(), "task"), " to begin with, and what follows from them");
}

void report_task(const launch::RunPlan& plan) {
    const workflow::State& state = plan.start.state;
    auto tasks = pending(*plan.config, state);
    std::cout << "\n"
              << base::counted(tasks.size(), "task") << (plan.earlier ? " pending:\n" : " to begin with:\n");
    for (std::size_t i = 0; i < std::min(tasks.size(), tasks_shown); ++i)
        report_task(*plan.config, tasks[i], state.tasks.at(tasks[i]));
    if (tasks.size() > tasks_shown) std::cout << "  … and " << tasks.size() - tasks_shown << " more\n";
    std::size_t waiting = state.tasks.size() - tasks.size();
    if (waiting > 0)
        std::cout << base::counted(waiting, "finally") << " would wait until the descendants of "
                  << (waiting == 1 ? "its task" : "their tasks") << " have finished\n";
}

// The root, in which the run's pool would be, need not exist.
base::Result<void> check_root(const pool_protocol::PoolDirectory& directory, const launch::RunPlan& plan) {
    if (!launch::has_pool_steps(*plan.config)) return {};
    auto opened = io::Directory::open(directory.root);
    if (opened || opened.error().code == std::errc::no_such_file_or_directory) return {};
    return opened.error();
}

}  // namespace

int dry_run(const launch::RunOptions& options, const pool_protocol::PoolDirectory& directory,
            const launch::RunPlan& plan) {
    if (options.log_file)
        if (auto possible = check_log_file(*options.log_file); !possible)
            return fail(base::ExitCode::usage, possible.error().message);
    if (auto possible = check_root(directory, plan); !possible)
        return fail(base::ExitCode::usage, possible.error().message);
    auto log = launch::log_place(options);
    if (!log) return fail(exit_code_of(launch::kind_for_log(log.error())), log.error().message);
    std::cout << "The run would do the following; nothing is started or created.\n\n";
    row("config", config_name(options));
    row("commands in", plan.config->directory);
    row("pool", pool_text(options, directory, plan));
    std::string_view label = "agents";
    for (const std::string& line : agents_lines(options, plan))
        row(std::exchange(label, ""), line);
    if (options.wake) row("first of all", base::concat("`", *options.wake, "`"));
    if (options.on_end) row("at the end", base::concat("`", *options.on_end, "`"));
    row("state log", *log);
    if (options.log_file) row("log file", std::filesystem::absolute(*options.log_file).string());
    if (plan.reuse && plan.reuse->run) row("results", reuse_text(plan));
    row("limits", limits_text(options, *plan.config));
    if (auto bounds = launch::bounds_of(options, *plan.config); bounds.any())
        row("bounds", bounds_text(bounds));
    if (auto budget = launch::budget_of(options, *plan.config))
        row("budget", "spent " + workflow::Budget(*budget, plan.start.used()).text());
    report_task(plan);
    return base::ExitCode::ok;
}

}  // namespace barnum
