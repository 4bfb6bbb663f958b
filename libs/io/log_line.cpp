#include "io/log_line.hpp"

#include "base/text.hpp"
#include "base/utc_text.hpp"
#include "json/json.hpp"

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

// C1 control characters, U+0080 to U+009F: some terminals take one of them as the start of an escape
// sequence.
bool is_c1(std::string_view text) {
    return text.size() > 1 && text[0] == '\xc2' && (static_cast<unsigned char>(text[1]) & 0xe0) == 0x80;
}

// `line_start` begins each line but the first.
void append_lines(std::string& out, std::string_view text, std::string_view line_start) {
    while (!text.empty() && text.back() == '\n')
        text.remove_suffix(1);
    constexpr std::string_view digits = "0123456789abcdef";
    for (std::size_t i = 0; i < text.size(); ++i) {
        char c = text[i];
        auto byte = static_cast<unsigned char>(c);
        if (is_c1(text.substr(i))) {
            auto second = static_cast<unsigned char>(text[++i]);
            out.append({'\\', 'u', '0', '0', digits[second >> 4], digits[second & 15]});
        } else if (c == '\n')
            out += base::concat("\n", line_start, indentation);
        else if ((byte < 0x20 && c != '\t') ||
                 byte == 0x7f)  // colours in the output of commands must not reach the terminal
            out.append({'\\', 'x', digits[byte >> 4], digits[byte & 15]});
        else
            out.push_back(c);
    }
}

std::string lines_of(std::string begin, const Message& message, std::string_view line_start) {
    append_lines(begin, message.text, line_start);
    begin.push_back('\n');
    if (!message.command.empty()) begin += base::concat(line_start, indentation, message.command, "\n");
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
