// A price as text. Pure.
#pragma once

#include <string>

namespace base {

// "$1.27"; small amounts have more digits than cents: "$0.0075".
std::string dollars_text(double usd);

}  // namespace base
