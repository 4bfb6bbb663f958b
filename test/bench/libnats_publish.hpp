// Publications with the library libnats, if the program was built with it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace bench {

inline constexpr std::size_t payload_size = 256;

// The time of each publication to the subject `hop` until its answer is there, in milliseconds; none without
// the library.
std::vector<double> libnats_times(const std::string& address, std::size_t count, bool at_once);

}  // namespace bench
