// Lists the existing pools. Asks no daemon, takes no lock and changes nothing.
#pragma once

#include "base/error.hpp"
#include "pool_protocol/pool_directory.hpp"

#include <functional>
#include <string>
#include <vector>

namespace pool_client {

// The pools in `root` (absolute), by id; none if there is no such directory. `on_left_out` gets the reason
// for each pool that is another user's or that others could change.
base::Result<std::vector<pool_protocol::PoolDirectory>> find_pools(
    const std::string& root, const std::function<void(const base::Error&)>& on_left_out = {});

// Whether the file `status` exists. A daemon removes it at its end, unless it is killed.
bool seems_served(const pool_protocol::PoolDirectory& pool);

// For completion at a prompt: the pools in `root`, or in the environment's root if it is empty. None after an
// error.
struct NamedPool {
    std::string id;
    bool seems_served = false;
};
std::vector<NamedPool> name_pools(const std::string& root);

}  // namespace pool_client
