// Shows the line of a text that contains an error, with a caret below it, as compilers do.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace json {

// A part of a text: `length` bytes from `offset`, which may be the end of the text.
struct Mark {
    std::size_t offset = 0;
    std::size_t length = 1;
};

// Two lines, without a line break at the end:
//     12 |     "nxt": [],
//        |     ^~~~~
// `line` is the number of the line in which the mark begins. A line of more than 100 columns is shortened
// around the caret. A tab is shown as spaces, a control character as U+FFFD. The cost does not depend on the
// length of the text or of the line.
std::string source_excerpt(std::string_view text, std::size_t line, Mark mark);

}  // namespace json
