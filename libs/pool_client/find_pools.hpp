// The pools that there are. Asks no daemon, takes no lock and changes nothing.
#pragma once

#include "base/error.hpp"
#include "pool_protocol/pool_directory.hpp"

#include <functional>
#include <string>
#include <vector>

namespace pool_client {

// Those of `root` (absolute), by id. `on_left_out` gets the reason for each that is not ours or that others
// could change. None where there is no such directory.
base::Result<std::vector<pool_protocol::PoolDirectory>> find_pools(
    const std::string& root, const std::function<void(const base::Error&)>& on_left_out = {});

// Whether the file `status` is there, which a daemon removes at its end. One that was killed leaves it.
bool seems_served(const pool_protocol::PoolDirectory& pool);

// For who chooses among them at a prompt: those of --root or the environment's root; none where that fails.
struct NamedPool {
    std::string id;
    bool seems_served = false;
};
std::vector<NamedPool> name_pools(const std::string& root);

}  // namespace pool_client
