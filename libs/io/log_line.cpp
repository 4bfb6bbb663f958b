#include "io/log_line.hpp"

#include "base/text.hpp"
#include "base/utc_text.hpp"
#include "json/json.hpp"
#include "json/shown_text.hpp"

#include <algorithm>
#include <array>

namespace io::log {

namespace {

constexpr std::array<std::string_view, 6> names{"off", "error", "warn", "info", "debug", "trace"};

constexpr std::string_view indentation = "    ";

std::string_view label(Level level) {
    constexpr std::array<std::string_view, 6> labels{"", "ERROR", "WARN ", "INFO ", "DEBUG", "TRACE"};
    return labels[static_cast<std::size_t>(level)];
}

std::string_view priority(Level level) {
    constexpr std::array<std::string_view, 6> priorities{"<3>", "<3>", "<4>", "<6>", "<7>", "<7>"};
    return priorities[static_cast<std::size_t>(level)];
}

// `line_start` begins each line but the first.
void append_lines(std::string& out, std::string_view text, std::string_view line_start) {
    while (!text.empty() && text.back() == '\n')
        text.remove_suffix(1);
    for (char c : json::shown_text(text)) {
        out.push_back(c);
        if (c == '\n') out += base::concat(line_start, indentation);
    }
}

std::string lines_of(std::string begin, const Message& message, std::string_view line_start) {
    append_lines(begin, message.text, line_start);
    begin.push_back('\n');
    if (!message.command.empty())
        begin += base::concat(line_start, indentation, json::shown_text(message.command), "\n");
    return begin;
}

std::string json_of(const Message& message) {
    std::string command = message.command.empty() ? "" : ",\"command\":" + json::quote(message.command);
    return base::concat("{\"time\":\"", base::utc_text(message.time), "\",\"level\":\"",
                        name_of(message.level), "\",\"message\":", json::quote(message.text), command, "}\n");
}

}  // namespace

std::optional<Level> parse_level(std::string_view name) {
    auto found = std::ranges::find(names, name);
    if (found == names.end()) return std::nullopt;
    return static_cast<Level>(found - names.begin());
}

std::string_view name_of(Level level) {
    return names[static_cast<std::size_t>(level)];
}

Level more_than(Level level) {
    return level == Level::trace ? level : static_cast<Level>(static_cast<int>(level) + 1);
}

Level less_than(Level level) {
    return level <= Level::error ? level : static_cast<Level>(static_cast<int>(level) - 1);
}

std::string formatted(Format format, const Message& message) {
    switch (format) {
        case Format::json:
            return json_of(message);
        case Format::journal:
            return lines_of(std::string(priority(message.level)), message, priority(message.level));
        case Format::text:
            break;
    }
    return lines_of(base::concat(base::utc_text(message.time), " ", label(message.level), " "), message, "");
}

}  // namespace io::log
