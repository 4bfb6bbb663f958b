// Whether a descriptor is a terminal, and its size.
#pragma once

#include <cstddef>

namespace terminal {

struct Size {
    std::size_t columns = 80;
    std::size_t rows = 24;
};

bool is_terminal(int fd);

// The terminal's current size, at least 2 by 2; 80 by 24 if it is unknown or `fd` is not a terminal.
Size size_of(int fd);

}  // namespace terminal
