// The counts of a pool's status, as a table.
#pragma once

#include "pool_protocol/status.hpp"
#include "pool_view/status_view.hpp"

#include <string>
#include <vector>

namespace pool_view {

// The lines have a second row if earlier daemons have counted something.
std::vector<std::string> counts_lines(const pool_protocol::Status& status, DisplayOptions options);

}  // namespace pool_view
