#include "launch/earlier_log.hpp"

#include "base/text.hpp"
#include "config/agent_paths.hpp"
#include "io/log.hpp"
#include "io/trust.hpp"

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>

namespace launch {

namespace {

constexpr std::chrono::milliseconds between_lock_attempts{20};

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
    std::shared_ptr<const config::WorkflowConfig> config, const std::string& current) {
    if (config->directory.starts_with('/')) return config;
    auto changed = std::make_shared<config::WorkflowConfig>(*config);
    changed->directory = (std::filesystem::path(current) / config->directory).string();
    for (auto& group : changed->agents)
        config::resolve_paths(group.settings, current);
    io::log::warn("the state log does not say in which directory commands run; they run in ",
                  changed->directory);
    return changed;
}

base::Result<statelog::OldLog> of_this_user(base::Result<statelog::OldLog> log, const std::string& path) {
    if (!log) return log;
    auto trusted = io::check_content(log->fd(), path, "copy it to a file of your own");
    return trusted ? std::move(log) : trusted.error();
}

}  // namespace

base::Result<statelog::OldLog> open_earlier_log(const std::string& path, std::chrono::seconds longest_use) {
    statelog::LockWait wait;
    wait.on_wait = [&] {
        io::log::info(
            "waiting until the commands of a killed run have ended, which still hold the state log ", path);
    };
    auto give_up = std::chrono::steady_clock::now() + longest_use;
    while (true) {
        auto log = statelog::OldLog::open(path, wait);
        bool is_in_use = !log && log.error().code == std::errc::resource_unavailable_try_again;
        if (!is_in_use || std::chrono::steady_clock::now() > give_up)
            return of_this_user(std::move(log), path);
        std::this_thread::sleep_for(between_lock_attempts);
    }
}

void warn_of_tail(const std::string& path, const statelog::Tail& tail) {
    if (tail.dropped_bytes == 0) return;
    io::log::warn(path, ": the last ", tail.dropped_bytes,
                  " bytes are ignored: the run was ended while it wrote ",
                  tail.torn_group ? "a group of entries" : "an entry");
}

base::Result<std::shared_ptr<const config::WorkflowConfig>> config_to_continue(
    std::shared_ptr<const config::WorkflowConfig> config, const std::string& current) {
    auto usable = with_directory(std::move(config), current);
    if (auto checked = check_directory(*usable); !checked) return checked.error();
    return usable;
}

}  // namespace launch
