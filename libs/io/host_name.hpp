// The name of this machine.
#pragma once

#include <string>

namespace io {

// Empty if the machine has none.
std::string host_name();

}  // namespace io
