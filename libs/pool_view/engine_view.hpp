// The lines of a pool's status that tell of its engine and its hosts. Pure, except that it reads the local
// time zone.
#pragma once

#include "pool_protocol/status.hpp"

#include <string>
#include <vector>

namespace pool_view {

// Nothing if the pool has one host.
std::vector<std::string> engine_lines(const pool_protocol::Status& status, bool colored);

// The hosts as a table, in the order of their ids; nothing if they are not known.
std::vector<std::string> host_lines(const pool_protocol::Status& status, bool colored);

}  // namespace pool_view
