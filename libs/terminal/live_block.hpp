// A block of lines at the end of a terminal's output that is redrawn in place, while other lines are printed
// above it. Pure: each call returns the bytes to write, in one piece and in the order of the calls. Leaves no
// state in the terminal that must be restored, so the program may end after any call.
#pragma once

#include "terminal/size.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace terminal {

class LiveBlock {
  public:
    // Replaces the block by `lines`, cut to the terminal's width, and limited in number so that a row is left
    // for the cursor. `size` is the current size: if the terminal has become narrower, it has wrapped the
    // block's lines.
    std::string redraw(std::vector<std::string> lines, Size size);

    // Prints lines, each with its newline, above the block. If there is no block, that is only the text.
    std::string above(std::string_view text, Size size);

    // Removes the block, and prints lines, each with its newline, in its place.
    std::string replace(std::string_view text, Size size);

    // Leaves the block as it is; later output comes below it, also if another program, for example a shell,
    // has written meanwhile.
    std::string finish();

    bool is_empty() const { return lines_.empty(); }

  private:
    std::string over_block(std::string_view text, Size size) const;
    std::string to_first_row(Size size) const;
    std::string block() const;

    std::vector<std::string> lines_;  // as drawn; the cursor is in the row below them
};

}  // namespace terminal
