// One history: hosts, tasks and faults, drawn from a seed.
#pragma once

#include <cstdint>
#include <string>

namespace hosts {

// What was broken; empty: nothing. `is_verbose`: what happens is printed.
std::string run_history(std::uint32_t seed, bool is_verbose);

}  // namespace hosts
