#include "progress/layout.hpp"

#include "progress/words.hpp"
#include "terminal/width.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace progress {

using terminal::Style;

namespace {

constexpr std::size_t bar_width = 10;
constexpr std::size_t gap = 2;
constexpr std::size_t enough_for_names = 16;

constexpr std::string_view full = "█";
constexpr std::string_view empty = "░";

std::string repeated(std::string_view text, std::size_t times) {
    std::string result;
    while (times-- > 0)
        result += text;
    return result;
}

std::size_t digits(const std::vector<Row>& rows, std::uint64_t Counts::*count) {
    std::uint64_t largest = 0;
    for (const Row& row : rows)
        largest = std::max(largest, row.counts.*count);
    return std::to_string(largest).size();
}

std::size_t widest_cost(const std::vector<Row>& rows) {
    std::size_t widest = 0;
    for (const Row& row : rows)
        widest = std::max(widest, terminal::width(cost_text(row.used)));
    return widest;
}

std::size_t widest_name(const std::vector<Row>& rows) {
    std::size_t widest = 4;
    for (const Row& row : rows)
        widest = std::max(widest, terminal::width(row.name));
    return widest;
}

}  // namespace

std::vector<Layout::Column> Layout::columns_for(const std::vector<Row>& rows, bool long_headings,
                                                const std::vector<ColumnId>& wanted) {
    struct Kind {
        std::string_view heading;
        std::string_view short_heading;
        std::size_t width;  // of the cells
    };
    const std::array<Kind, 12> kinds{{{"waiting", "wait", digits(rows, &Counts::waiting)},
                                      {"at pool", "pool", digits(rows, &Counts::at_pool)},
                                      {"human", "human", digits(rows, &Counts::asked)},
                                      {"running", "run", digits(rows, &Counts::running)},
                                      {"done", "done", digits(rows, &Counts::done)},
                                      {"dropped", "drop", digits(rows, &Counts::dropped)},
                                      {"retries", "retry", digits(rows, &Counts::retried)},
                                      {"tokens", "tokens", 4},
                                      {"cost", "cost", widest_cost(rows)},
                                      {"", "", bar_width},
                                      {"rate", "rate", 6},
                                      {"ETA", "ETA", 5}}};
    std::vector<Column> columns;
    for (ColumnId id : wanted) {
        const Kind& kind = kinds[static_cast<std::size_t>(id)];
        std::string_view heading = long_headings ? kind.heading : kind.short_heading;
        columns.push_back({id, heading, std::max(kind.width, heading.size())});
    }
    return columns;
}

std::vector<Layout::ColumnId> Layout::all_columns(const std::vector<Row>& rows, bool live) {
    using enum ColumnId;
    auto any = [&](auto has) { return std::any_of(rows.begin(), rows.end(), has); };
    std::vector<ColumnId> wanted;
    if (live || any([](const Row& row) { return row.counts.waiting > 0; })) wanted.push_back(waiting);
    if (live && any([](const Row& row) { return row.is_pool; })) wanted.push_back(at_pool);
    if (any([&](const Row& row) { return live ? row.is_human : row.counts.asked > 0; }))
        wanted.push_back(asked);
    if (live) wanted.push_back(running);
    wanted.insert(wanted.end(), {done, dropped, retries});
    if (!live) return wanted;
    if (any([](const Row& row) { return row.used.tokens() > 0; })) wanted.push_back(tokens);
    if (any([](const Row& row) { return row.used.usd.has_value(); })) wanted.push_back(cost);
    wanted.insert(wanted.end(), {bar, rate, eta});
    return wanted;
}

Layout::Layout(const std::vector<Row>& rows, std::size_t columns, bool live, bool colored)
    : colored_(colored) {
    using enum ColumnId;
    std::vector<ColumnId> wanted = all_columns(rows, live);
    std::size_t names = widest_name(rows);
    bool long_headings = true;
    for (ColumnId left_out : {waiting, bar, rate, tokens, eta, cost, retries,
                              running}) {  // the first removal only shortens the headings
        columns_ = columns_for(rows, std::exchange(long_headings, false), wanted);
        std::size_t taken = 0;
        for (const Column& column : columns_)
            taken += gap + column.width;
        name_width_ = taken + 4 > columns ? 4 : std::min(names, columns - taken);
        if (taken + std::min(names, enough_for_names) <= columns) return;
        if (left_out != waiting) std::erase(wanted, left_out);
    }
}

std::string Layout::heading() const {
    std::string line = terminal::pad_right("step", name_width_);
    for (const Column& column : columns_) {
        line.append(gap, ' ');
        line += terminal::pad_left(column.heading, column.width);
    }
    return terminal::paint(line, Style::dim, colored_);
}

std::string Layout::line(const Row& row) const {
    std::string line = terminal::pad_right(row.name, name_width_);
    for (const Column& column : columns_) {
        line.append(gap, ' ');
        line += cell(column, row);
    }
    if (!colored_) line.erase(line.find_last_not_of(' ') + 1);
    return line;
}

std::string Layout::cell(const Column& column, const Row& row) const {
    const Counts& counts = row.counts;
    switch (column.id) {
        case ColumnId::waiting:
            return number(counts.waiting, column.width, std::nullopt);
        case ColumnId::at_pool:
            return number(counts.at_pool, column.width, Style::cyan);
        case ColumnId::asked:
            return number(counts.asked, column.width, Style::yellow);
        case ColumnId::running:
            return number(counts.running - counts.at_pool - counts.asked, column.width, Style::cyan);
        case ColumnId::done:
            return number(counts.done, column.width, std::nullopt);
        case ColumnId::dropped:
            return number(counts.dropped, column.width, Style::red);
        case ColumnId::retries:
            return number(counts.retried, column.width, Style::yellow);
        case ColumnId::tokens:
            return terminal::pad_left(row.used.tokens() > 0 ? tokens_text(row.used.tokens()) : "",
                                      column.width);
        case ColumnId::cost:
            return terminal::pad_left(cost_text(row.used), column.width);
        case ColumnId::rate:
            return terminal::pad_left(row.rate ? rate_text(*row.rate) : "", column.width);
        case ColumnId::eta:
            return terminal::pad_left(row.eta ? clock_text(*row.eta) : "", column.width);
        case ColumnId::bar:
            break;
    }
    if (counts.known() == 0) return std::string(column.width, ' ');
    std::size_t filled = column.width * counts.over() / counts.known();
    return terminal::paint(repeated(full, filled), counts.dropped > 0 ? Style::red : Style::green, colored_) +
           terminal::paint(repeated(empty, column.width - filled), Style::dim, colored_);
}

// Empty for 0, so that other numbers are easier to see.
std::string Layout::number(std::uint64_t count, std::size_t width, std::optional<Style> style) const {
    if (count == 0) return std::string(width, ' ');
    std::string text = terminal::pad_left(std::to_string(count), width);
    return style ? terminal::paint(text, *style, colored_) : text;
}

}  // namespace progress
