#include "pool_client/pool_end.hpp"

#include "pool_protocol/daemon_end.hpp"
#include "pool_protocol/names.hpp"

namespace pool_client {

std::string lock_text(const io::Directory& pool) {
    constexpr std::size_t max_bytes = 1000;
    auto text = pool.read(pool_protocol::lock_name, max_bytes);
    return text.has_value() ? *text : std::string();
}

bool has_stopped(const io::Directory& pool) {
    return !pool.contains(pool_protocol::status_name) && pool_protocol::parse_daemon_end(lock_text(pool));
}

bool has_stopped(const pool_protocol::PoolDirectory& directory) {
    auto pool = io::Directory::open(directory.path);
    return pool.has_value() && has_stopped(*pool);
}

}  // namespace pool_client
