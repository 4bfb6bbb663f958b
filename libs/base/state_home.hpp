// Where programs keep what is to outlive them, for each user.
#pragma once

#include <string>

namespace base {

// $HOME, or the home directory in the user database; empty if there is none.
std::string home_directory();

// ${XDG_STATE_HOME:-~/.local/state}, absolute; empty if there is no home directory. A relative XDG_STATE_HOME
// is ignored, as the XDG specification demands.
std::string state_home();

}  // namespace base
