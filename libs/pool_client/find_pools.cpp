#include "pool_client/find_pools.hpp"

#include "base/text.hpp"
#include "io/directory.hpp"
#include "pool_protocol/names.hpp"

#include <algorithm>

namespace pool_client {

using pool_protocol::PoolDirectory;

base::Result<std::vector<PoolDirectory>> find_pools(
    const std::string& root, const std::function<void(const base::Error&)>& on_left_out) {
    auto directory = io::Directory::open(base::concat(root, "/pools"));
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
        auto pool = pool_protocol::locate(root, id);
        if (pool.has_error()) return pool.error();
        auto opened = io::Directory::open(pool->path);
        if (opened.has_value())
            pools.push_back(std::move(*pool));
        else if (on_left_out)
            on_left_out(opened.error());
    }
    return pools;
}

bool seems_served(const PoolDirectory& pool) {
    auto directory = io::Directory::open(pool.path);
    return directory.has_value() && directory->contains(pool_protocol::status_name);
}

std::vector<NamedPool> name_pools(const std::string& root) {
    std::vector<NamedPool> named;
    auto any = pool_protocol::locate(root, "");
    if (any.has_error()) return named;
    auto pools = find_pools(any->root);
    if (pools.has_error()) return named;
    for (const PoolDirectory& pool : *pools)
        named.push_back({pool.pool, seems_served(pool)});
    return named;
}

}  // namespace pool_client
