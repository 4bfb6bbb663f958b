// The id by which an edge is known to the engine and to other edges. It stays the same for as long as the
// pool's directory exists: after a restart, the edge's claims and queued answers are still its own.
#pragma once

#include "base/error.hpp"
#include "edge/engine.hpp"
#include "io/directory.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace edge_shell {

inline constexpr const char* edge_id_name = "engine.id";  // in the pool's directory

// [A-Za-z0-9_-]{1,48}
bool is_edge_id(std::string_view id);

// Makes an id from the name of the host, of any content, and a random number.
edge::EdgeId new_edge_id(std::string_view host_name, std::uint32_t random);

// Reads the id from its file, or makes one and writes it there. `scratch` is on the same file system. Fails
// if the file has other content. Blocking.
base::Result<edge::EdgeId> own_edge_id(const io::Directory& pool, const io::Directory& scratch);

}  // namespace edge_shell
