// A limit in bytes for what is read from a peer that this process trusts.
#pragma once

#include <cstddef>
#include <limits>

namespace io {

// The most that one buffer can hold.
inline constexpr std::size_t no_limit = std::numeric_limits<std::ptrdiff_t>::max();

}  // namespace io
