#include "statelog/inspection_format.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <cstdio>
#include <ctime>

namespace statelog {

namespace {

using std::chrono::milliseconds;

constexpr std::size_t last_lines = 8;
constexpr std::size_t line_length = 200;  // of a line of a shortened message

bool continues(char c) {
    return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

// In code points.
std::size_t width(std::string_view text) {
    return text.size() - static_cast<std::size_t>(std::ranges::count_if(text, continues));
}

std::string two_units(std::int64_t large, const char* large_unit, std::int64_t small,
                      const char* small_unit) {
    return base::concat(large, large_unit, small, small_unit);
}

std::string tenths(std::uint64_t value, std::uint64_t unit, const char* name) {
    return base::concat(value / unit, ".", value % unit * 10 / unit, name);
}

}  // namespace

std::string duration_text(std::optional<milliseconds> duration) {
    if (!duration) return "-";
    std::int64_t ms = duration->count();
    std::int64_t seconds = ms / 1000;
    if (ms < 1000) return base::concat(ms, " ms");
    if (seconds < 60) return base::concat(seconds, ".", ms % 1000 / 100, " s");
    if (seconds < 3600) return two_units(seconds / 60, " min ", seconds % 60, " s");
    if (seconds < 86400) return two_units(seconds / 3600, " h ", seconds % 3600 / 60, " min");
    return two_units(seconds / 86400, " d ", seconds % 86400 / 3600, " h");
}

std::string time_text(std::optional<Time> time) {
    if (!time) return "-";
    auto seconds =
        static_cast<std::time_t>(std::chrono::floor<std::chrono::seconds>(*time).time_since_epoch().count());
    std::tm local{};
    char text[64];
    if (!::localtime_r(&seconds, &local) ||
        std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &local) == 0)
        return base::concat(time->time_since_epoch().count(), " ms");
    return text;
}

std::string size_text(std::uint64_t bytes) {
    if (bytes < 1000) return base::counted(bytes, "byte");
    if (bytes < 1'000'000) return tenths(bytes, 1000, " kB");
    if (bytes < 1'000'000'000) return tenths(bytes, 1'000'000, " MB");
    return tenths(bytes, 1'000'000'000, " GB");
}

std::string printable(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (char c : text) {
        auto byte = static_cast<unsigned char>(c);
        // U+0080 to U+009F, which some terminals obey as well: C2 and then one of these.
        bool obeyed = byte >= 0x80 && byte < 0xA0 && !out.empty() && out.back() == '\xC2';
        if (obeyed) out.pop_back();
        if (c == '\t')
            out += ' ';
        else
            out += obeyed || byte < 0x20 || byte == 0x7F ? '?' : c;
    }
    return out;
}

std::string clipped(std::string_view text, std::size_t most) {
    std::size_t end = 0;
    for (std::size_t points = 0; end < text.size(); ++end)
        if (!continues(text[end]) && ++points > most) break;
    return base::concat(printable(text.substr(0, end)), end < text.size() ? "…" : "");
}

std::vector<std::string> message_lines(std::string_view message, bool shortened) {
    std::vector<std::string> lines;
    while (!message.empty()) {
        std::string_view line = message.substr(0, message.find('\n'));
        message.remove_prefix(std::min(message.size(), line.size() + 1));
        lines.push_back(shortened ? clipped(line, line_length) : printable(line));
    }
    if (!shortened || lines.size() <= last_lines + 2) return lines;
    lines.erase(lines.begin() + 1, lines.end() - last_lines);
    lines.insert(lines.begin() + 1, "…");
    return lines;
}

Table::Table(std::vector<Column> columns) {
    std::vector<std::string> headings;
    for (Column& column : columns) {
        aligns_.push_back(column.align);
        headings.push_back(std::move(column.heading));
    }
    add(std::move(headings));
}

std::string Table::text(std::string_view indent) const {
    std::vector<std::size_t> widths(aligns_.size());
    for (const auto& row : rows_)
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], width(row[i]));
    std::string text;
    for (const auto& row : rows_) {
        std::string line(indent);
        for (std::size_t i = 0; i < row.size(); ++i) {
            std::string space(widths[i] - width(row[i]), ' ');
            line += base::concat(i == 0 ? "" : "  ", aligns_[i] == Align::right ? space : "", row[i],
                                 aligns_[i] == Align::left ? space : "");
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += base::concat(line, "\n");
    }
    return text;
}

}  // namespace statelog
