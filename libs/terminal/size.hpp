// Whether a descriptor is a terminal, and how large.
#pragma once

#include <cstddef>

namespace terminal {

struct Size {
    std::size_t columns = 80;
    std::size_t rows = 24;
};

bool is_terminal(int fd);

// The terminal's size now, at least 2 by 2; 80 by 24 where the terminal doesn't know it, or `fd` is none.
Size size_of(int fd);

}  // namespace terminal
