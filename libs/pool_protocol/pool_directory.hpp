// Where things are in a pool (docs/troupe-protocol.md). Names only: no I/O.
#pragma once

#include "base/error.hpp"

#include <string>
#include <string_view>

namespace pool_protocol {

// Where pools are if nothing else says so.
inline constexpr std::string_view default_root = "/tmp/troupe";

struct PoolDirectory {
    std::string root;  // absolute
    std::string pool;  // the id
    std::string path;  // <root>/pools/<pool>

    std::string agents() const { return path + "/agents"; }
    std::string submissions() const { return path + "/submissions"; }
    std::string scratch() const { return path + "/scratch"; }
};

// `root`: --root, may be empty; then TROUPE_ROOT, AGENT_POOL_ROOT, /tmp/troupe. A relative one is made
// absolute. `pool`: --pool, may be empty; then "default". A bad id is an error, and a relative root where the
// working directory is gone.
base::Result<PoolDirectory> locate(const std::string& root, const std::string& pool);

// "--root … --pool …", for a shell: what makes a command that is given in a message one for this pool,
// wherever it is typed.
std::string options_of(const PoolDirectory& directory);

}  // namespace pool_protocol
