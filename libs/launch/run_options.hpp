// What `barnum run` is told by its command line. Reads no file and starts nothing.
#pragma once

#include "agent_driver/settings.hpp"
#include "base/error.hpp"
#include "config/workflow_config.hpp"
#include "io/log.hpp"
#include "launch/keep_output.hpp"
#include "launch/parameters.hpp"
#include "launch/retry_choice.hpp"
#include "progress/progress_mode.hpp"
#include "statelog/journal.hpp"
#include "terminal/color.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace launch {

struct RunOptions {
    std::string config;                           // path or text; empty if resume_from is given
    std::optional<std::string> initial_state;     // path or text
    std::optional<std::string> entrypoint_value;  // path or text
    std::vector<std::string> parameter_texts;     // -p, as given
    std::optional<Parameters> parameters;         // of -p
    std::optional<std::string> resume_from;       // as given: a run; later the path of its state log
    bool resumes_newest = false;                  // refuses a run that has been resumed already
    std::optional<RetryChoice> retries;           // tries dropped tasks of resume_from again
    std::optional<std::string> reuse;             // as given: a run; later the path of its state log
    std::string reused_run;                       // its id, if it has a record
    std::optional<std::string> state_log;         // none: in the run's directory
    std::string transcripts;                      // a directory or "none"; empty: beside the state log
    std::string name;                             // of the run; may be empty
    statelog::Fsync fsync = statelog::Fsync::always;
    std::string root;                   // may be empty
    std::string pool;                   // may be empty
    std::optional<std::string> wake;    // `sh -c` text
    std::optional<std::string> on_end;  // `sh -c` text
    std::optional<std::string> log_file;
    io::log::Level log_level = io::log::Level::info;
    std::string log_format;
    progress::ProgressMode progress = progress::ProgressMode::automatic;
    terminal::Color color = terminal::Color::automatic;
    std::size_t jobs = 4;
    bool embedded_pool = true;
    std::chrono::seconds pool_wait{300};
    std::size_t exec_agents = 0;           // --agents
    std::string agent_exec;                // `sh -c` text
    std::vector<std::string> agent_texts;  // --agent, as in agent_driver/agent_text.hpp
    bool exit_when_waiting = false;        // ends when only tasks for people are left
    bool fail_fast = false;                // ends rather than wait for agents that will not come
    bool config_agents = true;             // the config's agents work for the run
    // All agents of the run. read_run_options() adds those of the command line, with their paths as given;
    // add_config_agents() adds the config's, and makes all paths absolute.
    std::vector<agent_driver::AgentGroup> agents;
    std::optional<double> budget_usd;            // overrides the config's
    std::optional<std::uint64_t> budget_tokens;  // overrides the config's
    config::Bounds bounds;                       // override the config's
    std::string directory;                       // the current one at the run's start; absolute
    std::string keep_output_text;                // --keep-output
    KeepOutput keep_output;                      // the same, read
    bool redacts = true;                         // replaces secrets in kept output and in the log
    bool detach = false;                         // in the background, without a terminal
    bool dry_run = false;                        // only print what would be started
    bool stub = false;                           // walk through the steps with made-up responses
    // The values that the command that resumes the run repeats, by the options' names: several of a list.
    std::map<std::string, std::vector<std::string>> kept;

    // With agents and without --pool, the run has a pool of its own.
    bool has_own_pool() const { return !agents.empty() && pool.empty(); }
};

// A run that has a pool of its own must host it.
base::Result<void> check_own_pool(const RunOptions& options);

// The budget of the config, with the limits of the options in place of its own.
std::optional<config::BudgetLimits> budget_of(const RunOptions& options,
                                              const config::WorkflowConfig& config);

// The bounds of the config, with those of the options in place of its own.
config::Bounds bounds_of(const RunOptions& options, const config::WorkflowConfig& config);

}  // namespace launch
