// Ids of agents and submissions.
#pragma once

#include <string>

namespace pool_client {

// A new random UUID.
std::string new_id();

}  // namespace pool_client
