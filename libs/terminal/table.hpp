// A table for a terminal, with a heading. Columns are as wide as their widest cell.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace terminal {

class Table {
  public:
    enum class Align { left, right };
    struct Column {
        std::string heading;
        Align align = Align::left;
        std::size_t least_width = 0;  // so that the columns after it stay in place when the cells change
    };

    explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}
    // `cells` has as many as there are columns. They may contain colours.
    void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

    // The lines have no trailing spaces. `colored`: the headings are bold.
    std::vector<std::string> lines(bool colored) const;
    // As lines(), but columns that do not fit into `width` are put into further blocks below.
    std::vector<std::string> folded(std::size_t width, bool colored) const;

  private:
    std::vector<std::size_t> widths() const;
    void append(std::vector<std::string>& lines, std::size_t first, std::size_t end, bool colored) const;
    std::string row(const std::vector<std::string>& cells, std::size_t first, std::size_t end,
                    const std::vector<std::size_t>& widths) const;

    std::vector<Column> columns_;
    std::vector<std::vector<std::string>> rows_;
};

}  // namespace terminal
