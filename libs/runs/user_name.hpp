// Who uses this program.
#pragma once

#include <string>

namespace runs {

// The login name of this process's user; the number if it has none.
std::string user_name();

}  // namespace runs
