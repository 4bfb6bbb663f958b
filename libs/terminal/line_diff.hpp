// The difference of two texts, line by line. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace terminal {

struct DiffLine {
    enum class Change : std::uint8_t { none, removed, added };
    Change change;
    std::string_view text;  // without its newline; a part of one of the two texts

    friend bool operator==(const DiffLine&, const DiffLine&) = default;
};

// The lines of both texts. As few as possible are removed and added, unless the texts differ in millions of
// places: then everything between their equal beginnings and ends.
std::vector<DiffLine> diff_lines(std::string_view before, std::string_view after);

// The difference as `diff -u` prints it, without the names of files: three equal lines around each change.
// Empty if no line differs. Control characters are replaced.
std::string unified_diff(std::string_view before, std::string_view after, bool colored);

}  // namespace terminal
