#include "pool_daemon/without_engine.hpp"

#include "base/text.hpp"
#include "edge_shell/edge.hpp"
#include "edge_shell/edge_id.hpp"
#include "edge_shell/open_tasks.hpp"
#include "io/log.hpp"

namespace pool_daemon {

namespace {

base::Error has_open_tasks(const io::Directory& pool) {
    return base::invalid(base::concat(
        "this host has tasks of a pool over many hosts that are not finished: start the pool with --engine, "
        "and wait until they are, or cancel their runs; or remove ",
        pool.path_of(edge_shell::journal_name),
        " to forget them here (other hosts may then do them although they are done here as well)"));
}

}  // namespace

bool is_over_many_hosts(const pool_protocol::PoolDirectory& directory) {
    auto pool = io::Directory::open(directory.path);
    return pool.has_value() && pool->contains(edge_shell::edge_id_name);
}

base::Result<void> leave_engine(const io::Directory& pool, bool is_hosted) {
    auto has_open = edge_shell::has_open_tasks(pool);
    if (has_open.has_error()) return has_open.error();
    if (*has_open) return has_open_tasks(pool);
    if (is_hosted || !pool.contains(edge_shell::edge_id_name)) return {};
    if (auto removed = pool.remove(edge_shell::edge_id_name); removed.has_error()) return removed.error();
    io::log::info(
        "this host was a part of a pool over many hosts; without --engine, the pool serves the agents "
        "and submitters of this host only");
    return {};
}

}  // namespace pool_daemon
