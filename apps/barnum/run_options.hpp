// The command line of `barnum run` as a struct. Reads no file and starts nothing.
#pragma once

#include "base/error.hpp"
#include "cli/command_line.hpp"
#include "io/log.hpp"
#include "progress.hpp"
#include "statelog/journal.hpp"
#include "terminal/color.hpp"

#include <chrono>
#include <cstddef>
#include <map>
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
    std::string directory;   // the current one at the run's start, in which its agents run; absolute
    bool dry_run = false;    // only print what would be started
    bool stub = false;       // walk through the steps with made-up responses
    std::map<std::string, std::string> kept;  // by name: what the command that resumes the run repeats

    // With --agents and without --pool, the run has a pool of its own.
    bool has_own_pool() const { return agents > 0 && pool.empty(); }
};

// `given` has passed the checks of cli::run. The error says which options are wrong.
base::Result<RunOptions> read_run_options(const cli::Options& given);

// Sets the root that the environment determines, because the command that resumes the run must contain it.
void set_root(RunOptions& options, const std::string& root);

}  // namespace barnum
