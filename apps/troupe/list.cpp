#include "base/text.hpp"
#include "commands.hpp"
#include "context.hpp"
#include "io/directory.hpp"
#include "pool_daemon/daemon.hpp"
#include "pool_protocol/names.hpp"

#include <algorithm>
#include <iomanip>
#include <iostream>

namespace troupe {

namespace {

int list(const pool_protocol::PoolDirectory& any) {
    auto pools = io::Directory::open(base::concat(any.root, "/pools"));
    std::vector<std::string> ids;
    if (pools.has_value()) {
        auto names = pools->names();
        if (names.has_error()) return fail(names.error());
        ids = std::move(*names);
    } else if (pools.error().code != boost::system::errc::no_such_file_or_directory) {
        return fail(pools.error());
    }
    std::erase_if(ids, [](const std::string& id) { return !pool_protocol::is_pool_id(id); });
    std::sort(ids.begin(), ids.end());
    std::size_t width = 2;
    for (const std::string& id : ids)
        width = std::max(width, id.size());
    auto row = [&](std::string_view id, std::string_view status, std::string_view path) {
        std::cout << std::left << std::setw(static_cast<int>(width) + 2) << id << std::setw(9) << status
                  << path << "\n";
    };
    row("ID", "STATUS", "PATH");
    for (const std::string& id : ids) {
        auto pool = pool_protocol::locate(any.root, id);
        if (auto opened = io::Directory::open(pool->path); opened.has_error()) {
            std::cerr << "troupe: left out: " << opened.error().message << "\n";
            continue;
        }
        row(id, pool_daemon::is_served(*pool) ? "running" : "stopped", pool->path);
    }
    return cli::ok;
}

}  // namespace

cli::Command list_command() {
    cli::Command command;
    command.name = "list";
    command.summary = "List the pools of a root and whether each is served.";
    command.details = "Example:\n  troupe list\n";
    command.run = [](const cli::Options& options) {
        auto directory = pool_of(options);
        return directory.has_error() ? fail(directory.error(), cli::usage) : list(*directory);
    };
    return command;
}

}  // namespace troupe
