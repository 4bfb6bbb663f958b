// Ids of agents and submissions.
#pragma once

#include <string>
#include <string_view>

namespace pool_client {

// A new random UUID.
std::string new_id();

// The UUID that belongs to a name: the same one each time.
std::string id_of(std::string_view name);

}  // namespace pool_client
