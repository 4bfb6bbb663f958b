#include "agent_driver/failure_words.hpp"

#include "base/text.hpp"
#include "terminal/escapes.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace agent_driver {

namespace {

constexpr std::array<std::string_view, 9> empty_words{
    "unknown",         "unknown error", "internal error", "error",          "an error occurred",
    "[object object]", "undefined",     "null",           "internal error."};
constexpr std::array<std::string_view, 4> before_a_wait{"retry in ", "try again in ", "retry after ",
                                                        "retrying in "};
constexpr double longest_wait = 366.0 * 24 * 3600;  // seconds; beyond it is no time that a provider tells

std::string in_lower_case(std::string_view text) {
    std::string out(text);
    std::ranges::transform(out, out.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return out;
}

// The seconds that a unit has, and the rest of the text after it.
std::pair<double, std::string_view> unit_in(std::string_view text) {
    for (auto [name, seconds] :
         {std::pair<std::string_view, double>{"ms", 0.001}, {"h", 3600}, {"m", 60}, {"s", 1}, {"d", 86'400}})
        if (text.starts_with(name)) return {seconds, text.substr(name.size())};
    return {0, text};
}

// "1h2m3.5s" or "20 seconds" at the beginning of the text.
std::optional<double> duration_in(std::string_view text) {
    std::optional<double> sum;
    while (true) {
        double number = 0;
        auto [end, error] =
            std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
        if (error != std::errc() || number < 0) return sum;
        text.remove_prefix(static_cast<std::size_t>(end - text.data()));
        if (text.starts_with(' ')) text.remove_prefix(1);
        auto [seconds, rest] = unit_in(text);
        if (seconds == 0) return sum;
        sum = sum.value_or(0) + number * seconds;
        text = rest;
    }
}

}  // namespace

std::string plain_text(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        std::size_t end = std::min(text.find('\n'), text.size());
        out += base::concat(terminal::without_escapes(text.substr(0, end), terminal::Colors::removed), "\n");
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    std::size_t first = out.find_first_not_of(" \t\n");
    if (first == std::string::npos) return "";
    return out.substr(first, out.find_last_not_of(" \t\n") - first + 1);
}

bool tells_nothing(std::string_view message) {
    return message.empty() || std::ranges::find(empty_words, in_lower_case(message)) != empty_words.end();
}

std::optional<std::chrono::seconds> told_wait(std::string_view message) {
    std::string words = in_lower_case(message);
    for (std::string_view before : before_a_wait) {
        std::size_t at = words.find(before);
        if (at == std::string::npos) continue;
        auto seconds = duration_in(std::string_view(words).substr(at + before.size()));
        if (seconds && *seconds <= longest_wait)
            return std::chrono::seconds(static_cast<std::int64_t>(std::ceil(*seconds)));
    }
    return std::nullopt;
}

}  // namespace agent_driver
