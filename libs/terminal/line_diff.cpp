#include "terminal/line_diff.hpp"

#include "base/text.hpp"
#include "terminal/color.hpp"
#include "terminal/width.hpp"

#include <algorithm>
#include <span>

namespace terminal {

namespace {

using Change = DiffLine::Change;
using Lines = std::span<const std::string_view>;

constexpr std::size_t context = 3;             // equal lines around a change
constexpr std::size_t most_cells = 4'000'000;  // of the table below

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        std::size_t end = std::min(text.find('\n'), text.size());
        lines.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

// How many lines the longest common subsequence has of `before` from each line on and `after` from each line
// on. Neither is longer than its number can say: the smaller one has at most 2000 lines.
class CommonLines {
  public:
    CommonLines(Lines before, Lines after)
        : columns_(after.size() + 1), counts_((before.size() + 1) * columns_) {
        for (std::size_t row = before.size(); row-- > 0;)
            for (std::size_t column = after.size(); column-- > 0;)
                at(row, column) = before[row] == after[column]
                                      ? static_cast<std::uint16_t>(at(row + 1, column + 1) + 1)
                                      : std::max(at(row + 1, column), at(row, column + 1));
    }
    std::uint16_t& at(std::size_t row, std::size_t column) { return counts_[row * columns_ + column]; }

  private:
    std::size_t columns_;
    std::vector<std::uint16_t> counts_;
};

void append(std::vector<DiffLine>& diff, Change change, Lines lines) {
    for (std::string_view line : lines)
        diff.push_back({change, line});
}

// Neither begins or ends with lines of the other.
void append_middle(std::vector<DiffLine>& diff, Lines before, Lines after) {
    std::size_t row = 0;
    std::size_t column = 0;
    bool is_small = before.size() <= most_cells / (after.size() + 1);
    if (is_small && !before.empty() && !after.empty()) {
        CommonLines common(before, after);
        while (row < before.size() && column < after.size()) {
            if (before[row] == after[column]) {
                diff.push_back({Change::none, before[row++]});
                ++column;
            } else if (common.at(row + 1, column) >= common.at(row, column + 1)) {
                diff.push_back({Change::removed, before[row++]});
            } else {
                diff.push_back({Change::added, after[column++]});
            }
        }
    }
    append(diff, Change::removed, before.subspan(row));
    append(diff, Change::added, after.subspan(column));
}

std::string painted(const DiffLine& line, bool colored) {
    std::string text = printable(line.text);
    if (line.change == Change::none) return base::concat(" ", text, "\n");
    bool is_added = line.change == Change::added;
    return paint(base::concat(is_added ? "+" : "-", text), is_added ? Style::green : Style::red, colored) +
           "\n";
}

// A part of a diff: the changes that are near to each other, with the lines around them.
struct Hunk {
    std::size_t begin;
    std::size_t end;
};

std::vector<Hunk> hunks_of(const std::vector<DiffLine>& diff) {
    std::vector<Hunk> hunks;
    for (std::size_t i = 0; i < diff.size(); ++i) {
        if (diff[i].change == Change::none) continue;
        std::size_t begin = i - std::min(i, context);
        std::size_t end = std::min(i + 1 + context, diff.size());
        if (!hunks.empty() && begin <= hunks.back().end)
            hunks.back().end = end;
        else
            hunks.push_back({begin, end});
    }
    return hunks;
}

std::size_t count_without(std::span<const DiffLine> lines, Change left_out) {
    return lines.size() - static_cast<std::size_t>(std::ranges::count(lines, left_out, &DiffLine::change));
}

// "3,4": the first line and their number; of none, the line before.
std::string range_text(std::size_t lines_before, std::size_t lines) {
    return base::concat(lines_before + (lines > 0 ? 1 : 0), ",", lines);
}

std::string heading(std::span<const DiffLine> diff, const Hunk& hunk) {
    auto earlier = diff.first(hunk.begin);
    auto own = diff.subspan(hunk.begin, hunk.end - hunk.begin);
    auto range = [&](Change left_out) {
        return range_text(count_without(earlier, left_out), count_without(own, left_out));
    };
    return base::concat("@@ -", range(Change::added), " +", range(Change::removed), " @@");
}

}  // namespace

std::vector<DiffLine> diff_lines(std::string_view before, std::string_view after) {
    std::vector<std::string_view> old_lines = lines_of(before);
    std::vector<std::string_view> new_lines = lines_of(after);
    Lines removed(old_lines);
    Lines added(new_lines);
    auto first = std::ranges::mismatch(removed, added);
    auto head = removed.first(static_cast<std::size_t>(first.in1 - removed.begin()));
    removed = removed.subspan(head.size());
    added = added.subspan(head.size());
    std::size_t tail = 0;
    std::size_t most = std::min(removed.size(), added.size());
    while (tail < most && removed[removed.size() - 1 - tail] == added[added.size() - 1 - tail])
        ++tail;
    std::vector<DiffLine> diff;
    append(diff, Change::none, head);
    append_middle(diff, removed.first(removed.size() - tail), added.first(added.size() - tail));
    append(diff, Change::none, removed.last(tail));
    return diff;
}

std::string unified_diff(std::string_view before, std::string_view after, bool colored) {
    std::vector<DiffLine> diff = diff_lines(before, after);
    std::string text;
    for (const Hunk& hunk : hunks_of(diff)) {
        text += paint(heading(diff, hunk), Style::cyan, colored) + "\n";
        for (std::size_t i = hunk.begin; i < hunk.end; ++i)
            text += painted(diff[i], colored);
    }
    return text;
}

}  // namespace terminal
