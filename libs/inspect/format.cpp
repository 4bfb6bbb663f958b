#include "inspect/format.hpp"

#include "base/character.hpp"
#include "base/text.hpp"

#include <algorithm>

namespace inspect {

namespace {

using std::chrono::milliseconds;

constexpr std::size_t last_lines = 8;
constexpr std::size_t line_length = 200;  // of each line of a shortened message

}  // namespace

std::string duration_text(std::optional<milliseconds> duration) {
    if (!duration) return "-";
    if (*duration < milliseconds(10)) return base::concat(duration->count(), " ms");
    return terminal::duration_text(*duration);
}

std::string time_text(std::optional<statelog::Time> time) {
    return time ? terminal::time_text(time->time_since_epoch()) : "-";
}

std::string printable(std::string_view text) {
    std::string one_line(text);
    std::ranges::replace(one_line, '\t', ' ');
    return terminal::printable(one_line);
}

std::string clipped(std::string_view text, std::size_t most) {
    std::size_t end = 0;
    for (std::size_t points = 0; end < text.size(); ++end)
        if (!base::continues_character(text[end]) && ++points > most) break;
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

std::string table_text(const Table& table, std::string_view indent) {
    std::string text;
    for (const std::string& line : table.lines(false))
        text += base::concat(indent, line, "\n");
    return text;
}

}  // namespace inspect
