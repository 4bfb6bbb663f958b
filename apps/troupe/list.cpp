#include "base/json.hpp"
#include "base/text.hpp"
#include "commands.hpp"
#include "context.hpp"
#include "io/directory.hpp"
#include "pool_client/status_query.hpp"
#include "pool_daemon/daemon.hpp"
#include "pool_protocol/names.hpp"
#include "pool_protocol/status.hpp"

#include <algorithm>
#include <iomanip>
#include <iostream>

namespace troupe {

namespace asio = boost::asio;
using pool_protocol::PoolDirectory;

namespace {

constexpr std::chrono::seconds answer_time{2};

// The pools of a root that are ours, by id; of any other is told why it is left out.
base::Result<std::vector<PoolDirectory>> find_pools(const PoolDirectory& any) {
    auto directory = io::Directory::open(base::concat(any.root, "/pools"));
    if (directory.has_error()) {
        if (directory.error().code != boost::system::errc::no_such_file_or_directory)
            return directory.error();
        return std::vector<PoolDirectory>();
    }
    auto ids = directory->names();
    if (ids.has_error()) return ids.error();
    std::erase_if(*ids, [](const std::string& id) { return !pool_protocol::is_pool_id(id); });
    std::sort(ids->begin(), ids->end());
    std::vector<PoolDirectory> pools;
    for (const std::string& id : *ids) {
        auto pool = pool_protocol::locate(any.root, id);
        auto opened = io::Directory::open(pool->path);
        if (opened.has_error())
            std::cerr << "troupe: left out: " << opened.error().message << "\n";
        else
            pools.push_back(std::move(*pool));
    }
    return pools;
}

int list(const PoolDirectory& any) {
    auto pools = find_pools(any);
    if (pools.has_error()) return fail(pools.error());
    std::size_t width = 2;
    for (const PoolDirectory& pool : *pools)
        width = std::max(width, pool.pool.size());
    auto row = [&](std::string_view id, std::string_view status, std::string_view path) {
        std::cout << std::left << std::setw(static_cast<int>(width) + 2) << id << std::setw(9) << status
                  << path << "\n";
    };
    row("ID", "STATUS", "PATH");
    for (const PoolDirectory& pool : *pools)
        row(pool.pool, pool_daemon::is_served(pool) ? "running" : "stopped", pool.path);
    return cli::ok;
}

std::string to_json(const PoolDirectory& pool, std::string_view state, const pool_protocol::Status* status) {
    auto number = [&](auto value) { return status == nullptr ? "null" : std::to_string(value(*status)); };
    auto busy = [](const pool_protocol::Status& s) {
        return std::ranges::count(s.agents, pool_protocol::AgentStatus::State::busy,
                                  &pool_protocol::AgentStatus::state);
    };
    return base::concat("{\"pool\":", json::quote(pool.pool), ",\"path\":", json::quote(pool.path),
                        ",\"status\":\"", state, "\",\"pid\":", number([](const auto& s) { return s.pid; }),
                        ",\"agents\":", number([](const auto& s) { return s.agents.size(); }),
                        ",\"busy\":", number(busy),
                        ",\"queue\":", number([](const auto& s) { return s.queue.length; }), "}");
}

std::string entry(const PoolDirectory& pool, const base::Result<std::string>& answer) {
    auto status = answer.has_value() ? pool_protocol::parse_status(*answer) : answer.error();
    if (status.has_value()) return to_json(pool, status->draining ? "draining" : "running", &*status);
    return to_json(pool, pool_daemon::is_served(pool) ? "running" : "stopped", nullptr);
}

asio::awaitable<int> list_json(PoolDirectory any) {
    auto pools = find_pools(any);
    if (pools.has_error()) co_return fail(pools.error());
    std::string text = "[";
    for (const PoolDirectory& pool : *pools) {
        auto answer = co_await pool_client::ask_status(pool, answer_time);
        text += base::concat(text.size() > 1 ? ",\n " : "", entry(pool, answer));
    }
    std::cout << text << "]" << std::endl;
    co_return std::cout ? cli::ok : cli::failure;
}

}  // namespace

cli::Command list_command() {
    cli::Command command;
    command.name = "list";
    command.summary = "List the pools of a root and whether each is served.";
    command.details =
        "Examples:\n"
        "  troupe list\n"
        "  troupe list --json | jq -r '.[] | select(.queue > 0 and .agents == 0) | .pool'\n"
        "\nWith --json an array of objects: pool, path, status (running, draining or stopped), and pid, "
        "agents, busy and queue, which are null where no daemon tells them.\n";
    command.options.add_options()("json", "as a JSON array, with how many agents and tasks each has");
    command.run = [](const cli::Options& options) {
        auto directory = pool_of(options);
        if (directory.has_error()) return fail(directory.error(), cli::usage);
        if (options.count("json") == 0) return list(*directory);
        return run_loop([=](asio::io_context&) { return list_json(*directory); });
    };
    return command;
}

}  // namespace troupe
