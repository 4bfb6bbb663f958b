// A block of lines at the end of a terminal's output that is drawn again in place, while other lines come out
// above it. Pure: each call returns the bytes that do it, to be written in one piece, in the order of the
// calls. Changes no state of the terminal that would have to be restored: it may end after any call.
#pragma once

#include "terminal/size.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace terminal {

class LiveBlock {
  public:
    // `lines` take the block's place, cut to the terminal's width, and as many of them as leave a row for the
    // cursor.
    // The size is the terminal's now: one that has become narrower has broken the block's lines.
    std::string redraw(std::vector<std::string> lines, Size size);

    // Lines, each with its newline, that stay; the block goes on below them. Nothing but the text if there is
    // no block.
    std::string above(std::string_view text, Size size);

    // The block is gone, and lines, each with its newline, stand in its place.
    std::string replace(std::string_view text, Size size);

    // The block stays as it is, and what is written next stands below it. Also for when somebody else has
    // written, as a shell does while the program is stopped.
    std::string finish();

    bool is_empty() const { return lines_.empty(); }

  private:
    std::string over_block(std::string_view text, Size size) const;
    std::string to_first_row(Size size) const;
    std::string block() const;

    std::vector<std::string> lines_;  // as drawn; the cursor stands in the row below them
};

}  // namespace terminal
