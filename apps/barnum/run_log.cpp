#include "run_log.hpp"

#include "base/text.hpp"
#include "config/load.hpp"
#include "first_tasks.hpp"
#include "io/log.hpp"
#include "io/signals.hpp"
#include "pool_client/new_id.hpp"
#include "statelog/record.hpp"
#include "statelog/replay_file.hpp"
#include "workflow/machine.hpp"

#include <boost/system/errc.hpp>

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <pwd.h>
#include <unistd.h>
#include <utility>

namespace barnum {

namespace errc = boost::system::errc;

namespace {

int fail(int code, const std::string& message) {
    std::cerr << "barnum: " << message << "\n";
    return code;
}

// What is there already, or is in use, is for the user to decide; anything else is the disk's fault (R28).
int code_for(const base::Error& error) {
    bool refused = error.code == errc::file_exists || error.code == errc::resource_unavailable_try_again ||
                   error.code == errc::invalid_argument;
    return refused ? cli::ExitCode::usage : cli::ExitCode::io_error;
}

// ${XDG_STATE_HOME:-~/.local/state}; empty if there is no home. A relative one doesn't count (XDG).
std::filesystem::path state_home() {
    const char* state = std::getenv("XDG_STATE_HOME");
    if (state && *state == '/') return state;
    const char* home = std::getenv("HOME");
    if (!home || !*home) {
        const passwd* user = ::getpwuid(::geteuid());
        home = user ? user->pw_dir : "";
    }
    return *home == '/' ? std::filesystem::path(home) / ".local/state" : std::filesystem::path();
}

base::Result<std::string> default_log_path(const std::string& run_id) {
    constexpr std::string_view remedy = "; give the state log a place with --state-log FILE";
    auto home = state_home();
    if (home.empty()) return base::invalid(base::concat("there is no home directory", remedy));
    auto directory = home / "barnum";
    std::error_code failed;
    std::filesystem::create_directories(directory.parent_path(), failed);
    if (!failed && std::filesystem::create_directory(directory, failed))
        std::filesystem::permissions(directory, std::filesystem::perms::owner_all, failed);
    if (failed)
        return base::Error{failed, base::concat("cannot make the directory ", directory.string(), ": ",
                                                failed.message(), remedy)};
    return (directory / (run_id + ".ndjson")).string();
}

base::Result<std::string> log_path(const RunOptions& options, const std::string& run_id) {
    if (options.state_log) return std::filesystem::absolute(*options.state_log).string();
    return default_log_path(run_id);
}

std::string birth(const config::WorkflowConfig& config, const std::string& run_id,
                  const workflow::Group& tasks) {
    std::string text;
    statelog::Time now = statelog::now();
    statelog::append_header(text, {config.resolved, config.directory, run_id, tasks.size()}, now);
    for (const workflow::Entry& entry : tasks)
        statelog::append_record(text, config, entry, now);
    return text;
}

// The config and the first tasks, or the code after their mistakes are printed.
std::variant<std::pair<config::WorkflowConfig, std::vector<config::NewTask>>, int> load(
    const RunOptions& options) {
    auto loaded = config::load(options.config);
    for (const auto& problem : loaded.problems)
        std::cerr << config::to_string(problem) << "\n";
    if (!loaded.config)
        return fail(cli::ExitCode::usage,
                    base::concat("the config has ", base::counted(loaded.problems.size(), "error"),
                                 "; nothing was started"));
    auto tasks = first_tasks(*loaded.config, options);
    if (!tasks) return fail(cli::ExitCode::usage, tasks.error().message);
    return std::pair(std::move(*loaded.config), std::move(*tasks));
}

void warn_of_tail(const std::string& path, const statelog::Tail& tail) {
    if (tail.dropped_bytes == 0) return;
    io::log::warn(path, ": the last ", tail.dropped_bytes,
                  " bytes are dropped: the run was ended in the middle of ",
                  tail.torn_group ? "a group of entries" : "an entry");
}

// The run's commands need their directory, or every one of them would fail.
base::Result<void> check_directory(const config::WorkflowConfig& config) {
    std::error_code ignored;
    bool is_directory = std::filesystem::is_directory(config.directory, ignored);
    if (is_directory && ::access(config.directory.c_str(), X_OK) == 0) return {};
    if (!is_directory) errno = ENOTDIR;
    return base::system_error(
        base::concat("the directory that the run's commands run in, ", config.directory));
}

// Another program's log may not say where commands run; the directory of its config is not known then.
std::shared_ptr<const config::WorkflowConfig> with_directory(
    std::shared_ptr<const config::WorkflowConfig> config) {
    if (config->directory.starts_with('/')) return config;
    auto changed = std::make_shared<config::WorkflowConfig>(*config);
    changed->directory = (std::filesystem::current_path() / config->directory).string();
    io::log::warn("the state log does not say in which directory commands run; they run in ",
                  changed->directory);
    return changed;
}

int nothing_to_do(const std::string& path, const statelog::Replay& log) {
    std::string given_up = log.given_up_count() == 0
                               ? ""
                               : base::concat(", ", base::counted(log.given_up_count(), "task"), " given up");
    io::log::info("nothing to do: the run in ", path, " is finished", given_up);
    return cli::ExitCode::ok;
}

}  // namespace

BeginningOrCode begin_run(const RunOptions& options) {
    auto loaded = load(options);
    if (auto* code = std::get_if<int>(&loaded)) return *code;
    auto& [config, tasks] = std::get<0>(loaded);
    auto shared = std::make_shared<const config::WorkflowConfig>(std::move(config));
    std::string run_id = pool_client::new_id();
    auto path = log_path(options, run_id);
    if (!path) return fail(cli::ExitCode::io_error, path.error().message);
    workflow::State state(*shared);
    auto group = workflow::decide_initial(state, std::move(tasks));
    for (const workflow::Entry& entry : group)
        workflow::apply(*shared, state, entry).value();
    io::block_ending_signals();
    auto log = statelog::LogFile::create(*path, birth(*shared, run_id, group));
    if (!log) return fail(code_for(log.error()), log.error().message);
    return Beginning{run_id, run_id, std::move(shared), {std::move(state), {}, 0}, std::move(*log), {}};
}

BeginningOrCode resume_run(const RunOptions& options) {
    statelog::Patience patience;
    patience.on_wait = [&] {
        io::log::info("waiting for the end of what a killed run has left behind, which holds ",
                      *options.resume_from);
    };
    auto old = statelog::OldLog::open(*options.resume_from, patience);
    if (!old) return fail(cli::ExitCode::usage, old.error().message);
    auto replayed = statelog::replay_file(old->fd(), old->path());
    if (!replayed) return fail(cli::ExitCode::io_error, replayed.error().message);
    statelog::Replay& replay = replayed->replay;
    warn_of_tail(old->path(), replayed->tail);
    if (replay.state().over()) return nothing_to_do(old->path(), replay);
    auto config = with_directory(replay.config());
    if (auto usable = check_directory(*config); !usable)
        return fail(cli::ExitCode::usage, usable.error().message);
    std::string run_id = pool_client::new_id();
    auto path = log_path(options, run_id);
    if (!path) return fail(cli::ExitCode::io_error, path.error().message);
    io::block_ending_signals();
    auto log = statelog::LogFile::create_from(*path, *old, replayed->tail.committed_bytes, "");
    if (!log) return fail(code_for(log.error()), log.error().message);
    runner::Start start{replay.take_state(), replay.given_up(), replay.given_up_count()};
    std::string first_run_id = replay.header().run_id.empty() ? run_id : replay.header().run_id;
    return Beginning{std::move(run_id), std::move(first_run_id), std::move(config),
                     std::move(start),  std::move(*log),         std::move(*old)};
}

}  // namespace barnum
