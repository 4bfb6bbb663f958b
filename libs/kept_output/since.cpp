#include "kept_output/since.hpp"

#include "base/number.hpp"

#include <cstddef>
#include <cstdint>

namespace kept_output {

namespace {

using std::chrono::milliseconds;

constexpr std::string_view shape = "dddd-dd-ddTdd:dd:dd";

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool has_shape(std::string_view text) {
    if (text.size() < shape.size()) return false;
    for (std::size_t i = 0; i < shape.size(); ++i)
        if (shape[i] == 'd' ? !is_digit(text[i]) : shape[i] != text[i]) return false;
    return true;
}

int number_at(std::string_view text, std::size_t at, std::size_t size) {
    return base::parse_number<int>(text.substr(at, size)).value_or(0);
}

// Reads ".123Z": what follows the milliseconds does not count.
std::optional<milliseconds> parse_fraction(std::string_view text) {
    if (!text.ends_with('Z')) return std::nullopt;
    text.remove_suffix(1);
    if (text.empty()) return milliseconds(0);
    if (text.front() != '.' || text.size() == 1) return std::nullopt;
    int unit = 1000;
    int value = 0;
    for (char c : text.substr(1)) {
        if (!is_digit(c)) return std::nullopt;
        unit /= 10;
        value += (c - '0') * unit;
    }
    return milliseconds(value);
}

std::optional<WallTime> parse_time(std::string_view text) {
    if (!has_shape(text)) return std::nullopt;
    auto fraction = parse_fraction(text.substr(shape.size()));
    std::chrono::year_month_day date{std::chrono::year(number_at(text, 0, 4)),
                                     std::chrono::month(static_cast<unsigned>(number_at(text, 5, 2))),
                                     std::chrono::day(static_cast<unsigned>(number_at(text, 8, 2)))};
    int hours = number_at(text, 11, 2);
    int minutes = number_at(text, 14, 2);
    int seconds = number_at(text, 17, 2);
    if (!fraction || !date.ok() || hours > 23 || minutes > 59 || seconds > 60) return std::nullopt;
    return std::chrono::sys_days(date) + std::chrono::hours(hours) + std::chrono::minutes(minutes) +
           std::chrono::seconds(seconds) + *fraction;
}

std::int64_t seconds_of(char unit) {
    switch (unit) {
        case 's':
            return 1;
        case 'm':
            return 60;
        case 'h':
            return 60 * 60;
        case 'd':
            return 24 * 60 * 60;
        default:
            return 0;
    }
}

}  // namespace

std::optional<WallTime> parse_since(std::string_view text, WallTime now) {
    constexpr std::int64_t longest = 1'000'000'000;
    if (auto time = parse_time(text)) return time;
    const std::int64_t unit = text.empty() ? 0 : seconds_of(text.back());
    if (unit == 0) return std::nullopt;
    text.remove_suffix(1);
    auto number = base::parse_number<std::int64_t>(text);
    if (!number || *number < 0 || *number > longest / unit) return std::nullopt;
    return now - std::chrono::seconds(*number * unit);
}

}  // namespace kept_output
