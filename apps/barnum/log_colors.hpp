// Log lines for a terminal: a warning's and an error's level in colour.
#pragma once

#include "io/log.hpp"

#include <string>

namespace barnum {

std::string with_colors(const io::log::Line& line);

}  // namespace barnum
