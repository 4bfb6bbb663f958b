// The command line of `barnum run` as a struct. Reads no file and starts nothing.
#pragma once

#include "base/error.hpp"
#include "cli/command_line.hpp"
#include "io/log.hpp"
#include "progress.hpp"
#include "statelog/journal.hpp"
#include "terminal/color.hpp"

#include <boost/program_options/options_description.hpp>

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

namespace barnum {

struct RunOptions {
    std::string config;                           // path or text; empty if resume_from is given
    std::optional<std::string> initial_state;     // path or text
    std::optional<std::string> entrypoint_value;  // path or text
    std::optional<std::string> resume_from;       // path of another run's state log
    std::optional<std::string> state_log;         // none: the default place
    statelog::Fsync fsync = statelog::Fsync::always;
    std::string root;                 // may be empty
    std::string pool;                 // may be empty
    std::optional<std::string> wake;  // `sh -c` text
    std::optional<std::string> log_file;
    io::log::Level log_level = io::log::Level::info;
    ProgressMode progress = ProgressMode::automatic;
    terminal::Color color = terminal::Color::automatic;
    std::size_t jobs = 4;
    bool embedded_pool = true;
    std::chrono::seconds pool_wait{300};
    std::size_t agents = 0;
    std::string agent_exec;  // `sh -c` text
    std::string directory;   // the current one when the run began, where its own agents run; absolute
    bool dry_run = false;    // only tell what would be started
    bool stub = false;       // walk the graph with made-up answers

    // Agents without a pool to be shared work in a pool that is the run's alone.
    bool has_own_pool() const { return agents > 0 && pool.empty(); }
};

boost::program_options::options_description run_option_table();
boost::program_options::options_description global_option_table();
cli::ValuesByOption run_option_values();
cli::ValuesByOption global_option_values();

// `options` have passed the check of cli::run. The error says which option is wrong.
base::Result<RunOptions> read_run_options(const cli::Options& options);

// The command, quoted for a shell, that resumes a run with these options from its state log: everything that
// isn't frozen in the log is given again.
std::string resume_command(const RunOptions& options, const std::string& log_path);
// The one that shows what is in the log.
std::string inspect_command_line(const std::string& log_path);

}  // namespace barnum
