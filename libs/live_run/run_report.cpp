#include "live_run/run_report.hpp"

#include "base/exit_code.hpp"
#include "io/log.hpp"
#include "runs/next_commands.hpp"
#include "workflow/bounds.hpp"

#include <cmath>
#include <cstdio>
#include <string_view>
#include <unistd.h>

namespace live_run {

namespace log = io::log;
using End = runner::Outcome::End;

namespace {

constexpr std::string_view hint_for_agents =
    "the command below repeats the options of this run; before you start it, correct them so that an agent "
    "can "
    "take the tasks that are left, or start such an agent in the run's pool";

constexpr std::string_view hint_for_bounds =
    "to start what was past a bound, give `barnum retry` a larger one: --max-tasks, --max-depth or "
    "--max-run-seconds";

// Whole cents, rounded up.
std::string amount_text(double usd) {
    char text[400];
    std::snprintf(text, sizeof text, "%.2f", std::ceil(usd * 100) / 100);
    std::string_view amount(text);
    return std::string(amount.ends_with(".00") ? amount.substr(0, amount.size() - 3) : amount);
}

// With the same budget the resumed run would end at once.
launch::RunOptions with_enough_budget(launch::RunOptions options, const runner::Outcome* outcome) {
    if (!outcome || outcome->end != End::budget_spent) return options;
    config::BudgetLimits more = outcome->budget->more();
    if (more.usd) options.kept["budget-usd"] = {amount_text(*more.usd)};
    if (more.tokens) options.kept["budget-tokens"] = {std::to_string(*more.tokens)};
    return options;
}

// The log, which was reported.
bool was_removed(const std::string& log_path, const runner::Outcome* outcome) {
    bool has_failed = outcome && outcome->end == End::log_failed;
    return has_failed && ::access(log_path.c_str(), F_OK) != 0;
}

}  // namespace

int exit_code_for(const runner::Outcome& outcome) {
    if (outcome.all_well()) return base::ExitCode::ok;
    if (outcome.end == End::pool_unreachable) return base::ExitCode::unavailable;
    if (outcome.end == End::log_failed) return base::ExitCode::io_error;
    if (outcome.end == End::budget_spent || outcome.end == End::waiting) return base::ExitCode::resumable;
    return base::ExitCode::failure;
}

void report_outcome(const config::WorkflowConfig& config, const runner::Outcome& outcome, bool has_table) {
    std::string text =
        has_table ? runner::headline(outcome) + runner::usage(config, outcome) + runner::failures(outcome)
                  : runner::summary(config, outcome);
    bool only_waits = outcome.end == End::waiting && outcome.dropped_count == 0;
    if (outcome.all_well() || only_waits)
        log::info(text);
    else
        log::error(text);
}

std::string resume_command(const launch::RunOptions& options, const std::string& log_path,
                           const runner::Outcome* outcome, bool is_log_complete,
                           const CommandToResume& command) {
    if (was_removed(log_path, outcome)) return "";
    bool has_finished = outcome && outcome->end == End::finished;
    if (has_finished && is_log_complete) return "";
    return command(with_enough_budget(options, outcome), log_path);
}

void report_next_command(const launch::RunOptions& options, const std::string& log_path,
                         const runner::Outcome* outcome, bool is_log_complete,
                         const CommandToResume& command) {
    if (was_removed(log_path, outcome)) return;
    std::string resuming = resume_command(options, log_path, outcome, is_log_complete, command);
    if (!resuming.empty()) {
        if (outcome && outcome->end == End::no_agents) log::info(hint_for_agents);
        return log::write_with_command(log::Level::info, "resume this run with:", resuming);
    }
    if (outcome->all_well()) return log::info("the run has finished");
    if (workflow::count_past_bounds(outcome->steps) > 0) log::info(hint_for_bounds);
    log::write_with_command(log::Level::info,
                            "the run has finished, and `barnum retry` tries its dropped tasks again; this "
                            "command shows them with the "
                            "reasons:",
                            runs::command_to_inspect(log_path));
}

}  // namespace live_run
