#include "run_log.hpp"

#include "base/text.hpp"
#include "fail.hpp"
#include "io/signals.hpp"
#include "pool_client/new_id.hpp"
#include "statelog/initial_records.hpp"
#include "statelog/record.hpp"

#include <boost/system/errc.hpp>

#include <cstdlib>
#include <filesystem>
#include <pwd.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace barnum {

namespace errc = boost::system::errc;

namespace {

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

constexpr std::string_view log_remedy = "; give the state log a place with --state-log FILE";

base::Result<std::filesystem::path> default_log_directory() {
    auto home = state_home();
    if (home.empty()) return base::invalid(base::concat("there is no home directory", log_remedy));
    return home / "barnum";
}

base::Result<std::string> default_log_path(const std::string& run_id) {
    auto directory = default_log_directory();
    if (!directory) return directory.error();
    std::error_code failed;
    std::filesystem::create_directories(directory->parent_path(), failed);
    if (!failed && std::filesystem::create_directory(*directory, failed))
        std::filesystem::permissions(*directory, std::filesystem::perms::owner_all, failed);
    if (failed)
        return base::Error{failed, base::concat("cannot make the directory ", directory->string(), ": ",
                                                failed.message(), log_remedy)};
    return (*directory / (run_id + ".ndjson")).string();
}

base::Result<std::string> log_path(const RunOptions& options, const std::string& run_id) {
    if (options.state_log) return std::filesystem::absolute(*options.state_log).string();
    return default_log_path(run_id);
}

base::Result<statelog::LogFile> create_from(const std::string& path, const EarlierRun& earlier) {
    if (earlier.has_checksums)
        return statelog::LogFile::create_from(path, earlier.log, earlier.committed_bytes, "");
    return statelog::LogFile::create_with_checksums(path, earlier.log, earlier.committed_bytes);
}

}  // namespace

base::Result<std::string> log_place(const RunOptions& options) {
    auto path = std::filesystem::path();
    if (options.state_log) {
        path = std::filesystem::absolute(*options.state_log);
    } else {
        auto directory = default_log_directory();
        if (!directory) return directory.error();
        path = *directory / "<run-id>.ndjson";
    }
    auto checked = std::filesystem::path(path);
    std::error_code ignored;
    if (!options.state_log)  // directories that would be made, up to the first that is there
        while (checked.has_relative_path() && !std::filesystem::exists(checked.parent_path(), ignored))
            checked = checked.parent_path();
    if (auto possible = statelog::LogFile::check_place(checked.string()); !possible) return possible.error();
    return path.string();
}

int exit_code_for_log(const base::Error& error) {
    // What is there already, or is in use, is for the user to decide; anything else is the disk's fault.
    bool refused = error.code == errc::file_exists || error.code == errc::resource_unavailable_try_again ||
                   error.code == errc::invalid_argument;
    return refused ? cli::ExitCode::usage : cli::ExitCode::io_error;
}

BeginningOrCode begin_run(const RunOptions& options, RunPlan plan) {
    std::string run_id = pool_client::new_id();
    auto path = log_path(options, run_id);
    if (!path) return fail(cli::ExitCode::io_error, path.error().message);
    io::block_ending_signals();
    auto log = plan.earlier ? create_from(*path, *plan.earlier)
                            : statelog::LogFile::create(
                                  *path, statelog::initial_records(*plan.config, run_id, plan.first));
    if (!log) return fail(exit_code_for_log(log.error()), log.error().message);
    std::string first_run_id = plan.earlier ? plan.earlier->first_run_id : "";
    if (first_run_id.empty()) first_run_id = run_id;
    std::optional<statelog::OldLog> resumed;
    if (plan.earlier) resumed = std::move(plan.earlier->log);
    return Beginning{std::move(run_id),     std::move(first_run_id), std::move(plan.config),
                     std::move(plan.start), std::move(*log),         std::move(resumed)};
}

}  // namespace barnum
