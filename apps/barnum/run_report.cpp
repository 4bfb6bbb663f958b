#include "run_report.hpp"

#include "io/log.hpp"
#include "resume_command.hpp"

#include <unistd.h>

namespace barnum {

namespace log = io::log;
using End = runner::Outcome::End;

int exit_code_for(const runner::Outcome& outcome) {
    if (outcome.all_well()) return cli::ExitCode::ok;
    if (outcome.end == End::pool_unreachable) return cli::ExitCode::unavailable;
    if (outcome.end == End::log_failed) return cli::ExitCode::io_error;
    return cli::ExitCode::failure;
}

void report_outcome(const config::WorkflowConfig& config, const runner::Outcome& outcome, bool has_table) {
    std::string text =
        has_table ? runner::headline(outcome) + runner::failures(outcome) : runner::summary(config, outcome);
    if (outcome.all_well())
        log::info(text);
    else
        log::error(text);
}

void report_next_command(const RunOptions& options, const std::string& log_path,
                         const runner::Outcome* outcome, bool is_log_complete) {
    bool has_failed = outcome && outcome->end == End::log_failed;
    if (has_failed && ::access(log_path.c_str(), F_OK) != 0) return;  // it was removed, which was reported
    bool has_finished = outcome && outcome->end == End::finished;
    if (!has_finished || !is_log_complete)
        return log::write_with_command(log::Level::error,
                                       "resume this run with:", resume_command(options, log_path));
    if (outcome->all_well()) return log::info("the run has finished");
    log::write_with_command(
        log::Level::error,
        "the run has finished and cannot be resumed; this command shows the dropped tasks and the reasons:",
        inspect_command_line(log_path));
}

}  // namespace barnum
