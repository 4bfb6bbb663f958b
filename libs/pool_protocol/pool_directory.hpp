// The paths in a pool's directory (docs/troupe-protocol.md). No I/O.
#pragma once

#include "base/error.hpp"

#include <string>
#include <string_view>

namespace pool_protocol {

// The root if none is given.
inline constexpr std::string_view default_root = "/tmp/troupe";

struct PoolDirectory {
    std::string root;  // absolute
    std::string pool;  // the id
    std::string path;  // <root>/pools/<pool>

    std::string agents() const { return path + "/agents"; }
    std::string submissions() const { return path + "/submissions"; }
    std::string scratch() const { return path + "/scratch"; }
};

// `root`: --root; if empty, TROUPE_ROOT, AGENT_POOL_ROOT or /tmp/troupe. A relative path is made absolute.
// `pool`: --pool; if empty, "default". An invalid id is an error, and so is a relative root if the working
// directory no longer exists.
base::Result<PoolDirectory> locate(const std::string& root, const std::string& pool);

// "--root … --pool …", quoted for a shell: with it a command in a message works for this pool in any
// directory.
std::string options_of(const PoolDirectory& directory);

}  // namespace pool_protocol
