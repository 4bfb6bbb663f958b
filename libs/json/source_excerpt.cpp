#include "json/source_excerpt.hpp"

#include "base/character.hpp"
#include "base/columns.hpp"
#include "base/text.hpp"
#include "json/utf8.hpp"

#include <algorithm>
#include <deque>

namespace json {

namespace {

constexpr std::size_t most_columns = 100;
constexpr std::size_t columns_before_caret = 60;  // the minimum that is kept when a long line is cut
constexpr std::string_view ellipsis = "…";
constexpr std::string_view replacement = "\xEF\xBF\xBD";

// A character as displayed.
struct Cell {
    std::string_view text;
    std::size_t columns;
    std::size_t bytes;  // in the original text
};

// The part of a line before or after the caret.
struct LinePart {
    std::deque<Cell> cells;
    std::size_t columns = 0;
    bool is_cut = false;  // the line continues past the far end of this part

    void shorten_front(std::size_t most) {
        for (; columns > most; is_cut = true) {
            columns -= cells.front().columns;
            cells.pop_front();
        }
    }
    void shorten_back(std::size_t most) {
        for (; columns > most; is_cut = true) {
            columns -= cells.back().columns;
            cells.pop_back();
        }
    }
};

Cell first_cell(std::string_view text) {
    std::size_t length = utf8::sequence_length(text);
    if (length == 0) return {replacement, 1, 1};
    if (text.front() == '\t') return {"    ", 4, 1};
    auto code_point = utf8::first_code_point(text).value;
    if (base::is_control(code_point)) return {replacement, 1, length};
    return {text.substr(0, length), base::columns(code_point), length};
}

// The part of the line before `offset`.
LinePart before(std::string_view text, std::size_t offset) {
    constexpr std::size_t most_bytes = 4 * most_columns;
    std::size_t start = offset;
    while (start > 0 && text[start - 1] != '\n' && offset - start < most_bytes)
        --start;
    LinePart part;
    part.is_cut = start > 0 && text[start - 1] != '\n';
    while (part.is_cut && start < offset && base::continues_character(text[start]))
        ++start;
    while (start < offset) {
        Cell cell = first_cell(text.substr(start, offset - start));
        start += cell.bytes;
        part.columns += cell.columns;
        part.cells.push_back(cell);
    }
    part.shorten_front(most_columns);
    return part;
}

bool is_line_end(std::string_view text, std::size_t at) {
    return at >= text.size() || text[at] == '\n' || text.substr(at, 2) == "\r\n";
}

// The part of the line from `at` on.
LinePart from(std::string_view text, std::size_t at) {
    LinePart part;
    while (!is_line_end(text, at) && part.columns <= most_columns) {
        Cell cell = first_cell(text.substr(at, 4));
        at += cell.bytes;
        part.columns += cell.columns;
        part.cells.push_back(cell);
    }
    part.is_cut = !is_line_end(text, at);
    return part;
}

void cut(LinePart& left, LinePart& right) {
    if (left.columns + right.columns <= most_columns) return;
    std::size_t free = most_columns - std::min(right.columns, most_columns);
    left.shorten_front(std::max(columns_before_caret, free));
    right.shorten_back(most_columns - left.columns);
}

std::string underline(const LinePart& right, std::size_t length) {
    std::size_t columns = 0;
    std::size_t bytes = 0;
    for (const Cell& cell : right.cells) {
        if (bytes >= length) break;
        bytes += cell.bytes;
        columns += cell.columns;
    }
    return columns < 2 ? "^" : "^" + std::string(columns - 1, '~');
}

std::string displayed(const LinePart& left, const LinePart& right) {
    std::string out(left.is_cut ? ellipsis : "");
    for (const auto* part : {&left, &right})
        for (const Cell& cell : part->cells)
            out.append(cell.text);
    return out.append(right.is_cut ? ellipsis : "");
}

}  // namespace

std::string source_excerpt(std::string_view text, std::size_t line, Mark mark) {
    std::size_t offset = std::min(mark.offset, text.size());
    LinePart left = before(text, offset);
    LinePart right = from(text, offset);
    cut(left, right);
    std::string number = std::to_string(line);
    std::string margin(5 - std::min<std::size_t>(5, number.size()), ' ');
    std::string indent(left.columns + (left.is_cut ? 1 : 0), ' ');
    return base::concat(margin, number, " | ", displayed(left, right), "\n", margin,
                        std::string(number.size(), ' '), " | ", indent, underline(right, mark.length));
}

}  // namespace json
