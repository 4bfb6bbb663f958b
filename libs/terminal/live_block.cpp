#include "terminal/live_block.hpp"

#include "base/text.hpp"
#include "terminal/width.hpp"

#include <algorithm>
#include <utility>

namespace terminal {

namespace {

constexpr std::string_view erase_to_end_of_line = "\x1b[K";
constexpr std::string_view erase_below = "\x1b[J";

// The number of rows that a line takes if the terminal's width has changed since it was drawn. Some terminals
// cut lines instead of wrapping them again; then too many rows are counted, and one row too many is erased.
std::size_t rows_of(const std::string& line, std::size_t columns) {
    return std::max<std::size_t>(1, (width(line) + columns - 1) / columns);
}

}  // namespace

std::string LiveBlock::redraw(std::vector<std::string> lines, Size size) {
    if (lines.size() > size.rows - 1) lines.resize(size.rows - 1);
    // The last column stays empty: writing to it makes some terminals begin a new row.
    for (std::string& line : lines)
        line = cut(line, size.columns - 1);
    std::string bytes = to_first_row(size);
    lines_ = std::move(lines);
    return bytes + block();
}

std::string LiveBlock::above(std::string_view text, Size size) {
    if (lines_.empty()) return std::string(text);
    return over_block(text, size) + block();
}

std::string LiveBlock::replace(std::string_view text, Size size) {
    if (lines_.empty()) return std::string(text);
    std::string bytes = base::concat(over_block(text, size), erase_below);
    lines_.clear();
    return bytes;
}

// Erases line by line: some terminals, if everything is erased at once, keep it in their scrollback.
std::string LiveBlock::over_block(std::string_view text, Size size) const {
    std::string bytes = to_first_row(size);
    for (char c : text) {
        if (c == '\n') bytes += erase_to_end_of_line;
        bytes += c;
    }
    return bytes;
}

std::string LiveBlock::finish() {
    if (lines_.empty()) return "";
    lines_.clear();
    return base::concat("\r", erase_below);  // the terminal may have echoed "^C" there
}

std::string LiveBlock::to_first_row(Size size) const {
    std::size_t rows = 0;
    for (const std::string& line : lines_)
        rows += rows_of(line, size.columns);
    return rows == 0 ? "\r" : base::concat("\r\x1b[", rows, "A");
}

std::string LiveBlock::block() const {
    std::string bytes;
    for (const std::string& line : lines_)
        bytes += base::concat(line, erase_to_end_of_line, "\r\n");
    return bytes.append(erase_below);
}

}  // namespace terminal
