// How many columns of a terminal a character takes: for carets and tables that stand below text. An estimate:
// terminals and fonts differ for emoji and rare scripts.
#pragma once

#include <cstddef>
#include <cstdint>

namespace base {

// 0 for what is drawn over the character before it, 2 for East Asian wide characters and emoji, else 1. Of a
// control character: 1.
std::size_t columns(std::uint32_t code_point);

// What must not reach a terminal as it is: C0, DEL and C1, which begin escape sequences, and what turns the
// direction of the text behind it round.
bool is_control(std::uint32_t code_point);

}  // namespace base
