// Log lines for a terminal: the level of a warning or an error is coloured.
#pragma once

#include "io/log.hpp"

#include <string>

namespace displays {

std::string with_colors(const io::log::Line& line);

}  // namespace displays
