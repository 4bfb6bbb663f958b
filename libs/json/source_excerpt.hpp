// The line of a text that a mistake is in, with a caret below it, as compilers show it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace json {

// A part of a text: `length` bytes from `offset`, which may be the text's end.
struct Mark {
    std::size_t offset = 0;
    std::size_t length = 1;
};

// Two lines, without a line break at the end:
//     12 |     "nxt": [],
//        |     ^~~~~
// `line` is the number of the line that the mark begins in. A line of more than 100 columns is cut round the
// caret. A tab comes out as spaces, what a terminal could take for a command as U+FFFD. The cost does not
// depend on the length of the text or of the line.
std::string source_excerpt(std::string_view text, std::size_t line, Mark mark);

}  // namespace json
