// The width of a character in terminal columns, for carets and tables. An estimate: terminals and fonts
// differ for emoji and rare scripts.
#pragma once

#include <cstddef>
#include <cstdint>

namespace base {

// 0 for combining characters, 2 for East Asian wide characters and emoji, otherwise 1 (also for control
// characters).
std::size_t columns(std::uint32_t code_point);

// True for characters that must not be printed to a terminal unchanged: C0, DEL and C1, which begin escape
// sequences, the bidirectional controls, which reverse the text after them, and the separators of lines and
// paragraphs.
bool is_control(std::uint32_t code_point);

// Whether nothing is seen of the character: spaces of any width, and what has no width.
bool is_blank(std::uint32_t code_point);

}  // namespace base
