#include "base/exit_code.hpp"
#include "base/text.hpp"
#include "cli/option_table.hpp"
#include "commands.hpp"
#include "context.hpp"
#include "json/json.hpp"
#include "json/shown_text.hpp"
#include "pool_client/find_pools.hpp"
#include "pool_client/status_query.hpp"
#include "pool_daemon/daemon.hpp"
#include "pool_daemon/left_pool.hpp"
#include "pool_protocol/names.hpp"
#include "pool_protocol/status.hpp"
#include "terminal/width.hpp"

#include <algorithm>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <optional>

namespace troupe {

namespace asio = boost::asio;
using pool_protocol::PoolDirectory;

namespace {

constexpr const char* list_details = R"(Examples:
  troupe list
  troupe list --json | jq -r '.[] | select(.queue > 0 and .agents == 0) | .pool'
  troupe list --prune
      Removes the pools that nobody needs: those of runs that were killed and whose state logs are gone. A log whose
      directory, and the one above, is not there or empty may be on a file system that is not mounted: the pool stays.

The status of a pool is running, draining (`troupe stop --drain`), stopped, or, with --prune, removed. --json prints an
array of objects: pool, path, status; pid, agents, busy and queue, which are null if no daemon reports them; of_run,
which is true for a pool that a `barnum run --agents` has created for itself; and abandoned, which is true if nobody
needs the pool.

Exit codes: 0 the pools were listed, even if there are none; 1 the root that was named is not there, or cannot be read,
or a pool could not be removed; 2 the command line is invalid.
)";

constexpr std::chrono::seconds answer_time{2};
constexpr std::string_view removed = "removed";

base::Result<std::vector<PoolDirectory>> pools_of(const PoolDirectory& any) {
    return pool_client::find_pools(any.root, [](const base::Error& error) {
        std::cerr << "troupe: left out: " << json::shown_text(error.message) << "\n";
    });
}

struct Entry {
    PoolDirectory pool;
    std::string_view state;
    std::optional<pool_protocol::Status> status;  // none where no daemon tells it
    bool is_abandoned = false;
    std::string log_out_of_sight = {};  // of its run: nobody can tell whether it is gone
};

asio::awaitable<Entry> look_at(PoolDirectory pool) {
    auto answer = co_await pool_client::ask_status(pool, answer_time, pool_client::AskedHosts::this_one);
    if (answer.has_value())
        if (auto status = pool_protocol::parse_status(*answer); status.has_value()) {
            std::string_view state = status->draining ? "draining" : "running";
            co_return Entry{std::move(pool), state, std::move(*status)};
        }
    if (pool_daemon::is_served(pool)) co_return Entry{std::move(pool), "running", std::nullopt};
    bool is_abandoned = pool_daemon::is_abandoned(pool);
    std::string log = pool_daemon::log_out_of_sight(pool);
    co_return Entry{std::move(pool), "stopped", std::nullopt, is_abandoned, std::move(log)};
}

bool is_runs(const PoolDirectory& pool) {
    return pool.pool.starts_with(pool_protocol::run_pool_prefix);
}

std::string_view remark_on(const Entry& entry) {
    if (entry.is_abandoned && entry.state != removed) return "  (nobody's: --prune removes it)";
    if (!entry.log_out_of_sight.empty()) return "  (a run's own, whose state log is out of sight)";
    return is_runs(entry.pool) ? "  (a run's own)" : "";
}

void print_table(const std::vector<Entry>& entries) {
    std::size_t width = 2;
    for (const Entry& entry : entries)
        width = std::max(width, entry.pool.pool.size());
    auto row = [&](std::string_view id, std::string_view status, std::string_view path) {
        std::cout << std::left << std::setw(static_cast<int>(width) + 2) << id << std::setw(10) << status
                  << path << "\n";
    };
    row("ID", "STATUS", "PATH");
    for (const Entry& entry : entries)
        row(entry.pool.pool, entry.state, base::concat(entry.pool.path, remark_on(entry)));
}

std::string to_json(const Entry& entry) {
    auto number = [&](auto value) { return entry.status ? std::to_string(value(*entry.status)) : "null"; };
    using State = pool_protocol::AgentStatus::State;
    auto agents = [](const auto& s) { return s.agents.size(); };
    auto busy = [](const auto& s) { return s.agents_in(State::busy); };
    return base::concat("{\"pool\":", json::quote(entry.pool.pool),
                        ",\"path\":", json::quote(entry.pool.path), ",\"status\":\"", entry.state,
                        "\",\"pid\":", number([](const auto& s) { return s.pid; }),
                        ",\"agents\":", number(agents), ",\"busy\":", number(busy),
                        ",\"queue\":", number([](const auto& s) { return s.queue.length; }),
                        ",\"of_run\":", is_runs(entry.pool) ? "true" : "false",
                        ",\"abandoned\":", entry.is_abandoned ? "true" : "false", "}");
}

void print_json(const std::vector<Entry>& entries) {
    std::string text = "[";
    for (const Entry& entry : entries)
        text += base::concat(text.size() > 1 ? ",\n " : "", to_json(entry));
    std::cout << text << "]\n";
}

// Somebody may need it by now.
int prune(Entry& entry) {
    auto done = pool_daemon::remove_abandoned(entry.pool);
    if (done.has_error()) return fail(done.error());
    if (*done) entry.state = removed;
    return base::ExitCode::ok;
}

// A pool that may be needed as soon as a file system is mounted stays.
void tell_left(const Entry& entry) {
    std::cerr
        << "troupe: the pool " << entry.pool.pool
        << " stays: nobody can tell whether the state log of its run, "
        << terminal::printable(entry.log_out_of_sight)
        << ", is gone, because the directories above it are not there or empty; if it is on a file system, "
           "mount it; if the run was removed, remove "
        << terminal::printable(entry.pool.path) << "\n";
}

struct ListOptions {
    bool json = false;
    bool prune = false;
};

asio::awaitable<int> list(PoolDirectory any, ListOptions options) {
    auto pools = pools_of(any);
    if (pools.has_error()) co_return fail(pools.error());
    std::error_code ignored;
    // The one that nobody has named may not be there yet.
    bool is_there =
        std::filesystem::status(any.root, ignored).type() != std::filesystem::file_type::not_found;
    if (any.root != pool_protocol::default_root && !is_there)
        co_return fail(base::invalid(base::concat("there is no directory ", any.root,
                                                  "; say with --root or TROUPE_ROOT where the pools are")));
    std::vector<Entry> entries;
    for (const PoolDirectory& pool : *pools)
        entries.push_back(co_await look_at(pool));
    int code = base::ExitCode::ok;
    for (Entry& entry : entries) {
        if (options.prune && entry.is_abandoned) code = std::max(code, prune(entry));
        if (options.prune && !entry.log_out_of_sight.empty()) tell_left(entry);
    }
    options.json ? print_json(entries) : print_table(entries);
    co_return code;
}

}  // namespace

cli::Command list_command() {
    cli::Command command;
    command.name = "list";
    command.summary = "List the pools in a root, and whether each is served.";
    command.details = list_details;
    const cli::Option as_json{"json", cli::none(),
                              "print a JSON array, with the number of agents and tasks of each pool"};
    const cli::Option prunes{"prune", cli::none(),
                             "remove the pools of runs that were killed and whose state logs are gone"};
    command.options = {as_json, prunes};
    command.run = [=](const cli::Options& options) {
        auto directory = pool_of(options);
        if (directory.has_error()) return fail(directory.error(), base::ExitCode::usage);
        ListOptions list_options{cli::is_given(as_json, options), cli::is_given(prunes, options)};
        return run_loop([=](asio::io_context&) { return list(*directory, list_options); });
    };
    return command;
}

}  // namespace troupe
