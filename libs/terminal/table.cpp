#include "terminal/table.hpp"

#include "terminal/color.hpp"
#include "terminal/width.hpp"

#include <algorithm>

namespace terminal {

namespace {

constexpr std::size_t gap = 2;

}  // namespace

std::vector<std::size_t> Table::widths() const {
    std::vector<std::size_t> widths;
    for (const Column& column : columns_)
        widths.push_back(std::max(width(column.heading), column.least_width));
    for (const auto& cells : rows_)
        for (std::size_t i = 0; i < cells.size(); ++i)
            widths[i] = std::max(widths[i], width(cells[i]));
    return widths;
}

std::string Table::row(const std::vector<std::string>& cells, std::size_t first, std::size_t end,
                       const std::vector<std::size_t>& widths) const {
    std::string line;
    for (std::size_t i = first; i < end; ++i) {
        if (i > first) line.append(gap, ' ');
        bool left = columns_[i].align == Align::left;
        line += left ? pad_right(cells[i], widths[i]) : pad_left(cells[i], widths[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
}

void Table::append(std::vector<std::string>& lines, std::size_t first, std::size_t end, bool colored) const {
    std::vector<std::size_t> all = widths();
    std::vector<std::string> headings;
    for (const Column& column : columns_)
        headings.push_back(column.heading);
    lines.push_back(paint(row(headings, first, end, all), Style::bold, colored));
    for (const auto& cells : rows_)
        lines.push_back(row(cells, first, end, all));
}

std::vector<std::string> Table::lines(bool colored) const {
    std::vector<std::string> lines;
    append(lines, 0, columns_.size(), colored);
    return lines;
}

std::vector<std::string> Table::folded(std::size_t width, bool colored) const {
    std::vector<std::size_t> all = widths();
    std::vector<std::string> lines;
    for (std::size_t first = 0, end = 0; first < all.size(); first = end) {
        std::size_t used = all[first];
        for (end = first + 1; end < all.size() && used + gap + all[end] <= width; ++end)
            used += gap + all[end];
        append(lines, first, end, colored);
    }
    return lines;
}

}  // namespace terminal
