#include "json_schema/time_formats.hpp"

#include "base/character.hpp"

#include <algorithm>
#include <optional>

namespace json_schema {

namespace {

// Reads exactly `count` digits from the front.
std::optional<int> take_number(std::string_view& text, std::size_t count) {
    if (text.size() < count ||
        !std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(count), base::is_digit)) {
        return std::nullopt;
    }
    int number = 0;
    for (char c : text.substr(0, count))
        number = number * 10 + (c - '0');
    text.remove_prefix(count);
    return number;
}

bool take(std::string_view& text, char c) {
    if (!text.starts_with(c)) return false;
    text.remove_prefix(1);
    return true;
}

bool in_range(std::optional<int> number, int from, int to) {
    return number && *number >= from && *number <= to;
}

int days_in(int year, int month) {
    constexpr int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return month == 2 && leap ? 29 : days[month - 1];
}

bool take_date(std::string_view& text) {
    auto year = take_number(text, 4);
    if (!year || !take(text, '-')) return false;
    auto month = take_number(text, 2);
    if (!in_range(month, 1, 12) || !take(text, '-')) return false;
    return in_range(take_number(text, 2), 1, days_in(*year, *month));
}

bool take_hour_and_minute(std::string_view& text) {
    return in_range(take_number(text, 2), 0, 23) && take(text, ':') && in_range(take_number(text, 2), 0, 59);
}

bool take_fraction(std::string_view& text) {
    if (!take(text, '.')) return true;
    std::size_t before = text.size();
    while (!text.empty() && base::is_digit(text.front()))
        text.remove_prefix(1);
    return text.size() < before;
}

bool take_offset(std::string_view& text) {
    if (take(text, 'Z') || take(text, 'z')) return true;
    return (take(text, '+') || take(text, '-')) && take_hour_and_minute(text);
}

// Reads one or more numbers with their units. The units must be consecutive ones of `units`.
bool take_amounts(std::string_view& text, std::string_view units) {
    bool found = false;
    while (!text.empty() && base::is_digit(text.front())) {
        text.remove_prefix(std::min(text.find_first_not_of("0123456789"), text.size()));
        std::size_t unit = text.empty() ? std::string_view::npos : units.find(text.front());
        if (unit == std::string_view::npos || (found && unit != 0)) return false;
        text.remove_prefix(1);
        units.remove_prefix(unit + 1);
        found = true;
    }
    return found;
}

}  // namespace

bool is_date(std::string_view text) {
    return take_date(text) && text.empty();
}

bool is_time(std::string_view text) {
    // The second 60 is allowed for leap seconds.
    return take_hour_and_minute(text) && take(text, ':') && in_range(take_number(text, 2), 0, 60) &&
           take_fraction(text) && take_offset(text) && text.empty();
}

bool is_date_time(std::string_view text) {
    return take_date(text) && (take(text, 'T') || take(text, 't')) && is_time(text);
}

bool is_duration(std::string_view text) {
    if (!take(text, 'P')) return false;
    if (text.ends_with('W')) return take_amounts(text, "W") && text.empty();
    bool has_date = !text.starts_with('T');
    if (has_date && !take_amounts(text, "YMD")) return false;
    if (has_date && text.empty()) return true;
    return take(text, 'T') && take_amounts(text, "HMS") && text.empty();
}

}  // namespace json_schema
