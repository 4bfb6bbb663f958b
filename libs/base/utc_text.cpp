#include "base/utc_text.hpp"

#include "base/character.hpp"

#include <array>
#include <ctime>

namespace base {

namespace {

// The number that `digits` digits at that place make; empty if there is anything else.
std::optional<int> number_at(std::string_view text, std::size_t place, std::size_t digits) {
    if (text.size() < place + digits) return std::nullopt;
    int number = 0;
    for (char c : text.substr(place, digits)) {
        if (!is_digit(c)) return std::nullopt;
        number = number * 10 + (c - '0');
    }
    return number;
}

// Reads ".628Z" or "Z".
std::optional<std::chrono::nanoseconds> parse_fraction(std::string_view text) {
    if (!text.ends_with('Z')) return std::nullopt;
    text.remove_suffix(1);
    if (text.empty()) return std::chrono::nanoseconds(0);
    if (text.size() == 1 || text[0] != '.') return std::nullopt;
    std::int64_t nanoseconds = 0;
    std::int64_t unit = 100'000'000;
    for (char c : text.substr(1)) {
        if (!is_digit(c)) return std::nullopt;
        nanoseconds += unit * (c - '0');
        unit /= 10;
    }
    return std::chrono::nanoseconds(nanoseconds);
}

}  // namespace

std::string utc_text(std::chrono::sys_seconds time) {
    std::time_t seconds = time.time_since_epoch().count();
    std::tm parts{};
    ::gmtime_r(&seconds, &parts);
    std::array<char, 32> text{};
    std::size_t length = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
    return {text.data(), length};
}

std::string utc_text(std::chrono::sys_time<std::chrono::milliseconds> time) {
    auto seconds = std::chrono::floor<std::chrono::seconds>(time);
    std::string text = utc_text(seconds);
    text.pop_back();
    return text + "." + std::to_string(1000 + (time - seconds).count()).substr(1) + "Z";
}

std::optional<std::chrono::sys_time<std::chrono::nanoseconds>> parse_utc_text(std::string_view text) {
    constexpr std::string_view form = "....-..-..T..:..:..";
    if (text.size() <= form.size()) return std::nullopt;
    for (std::size_t i = 0; i < form.size(); ++i)
        if (form[i] != '.' && form[i] != text[i]) return std::nullopt;
    auto year = number_at(text, 0, 4), month = number_at(text, 5, 2), day = number_at(text, 8, 2);
    auto hour = number_at(text, 11, 2), minute = number_at(text, 14, 2), second = number_at(text, 17, 2);
    auto fraction = parse_fraction(text.substr(form.size()));
    if (!year || !month || !day || !hour || !minute || !second || !fraction) return std::nullopt;
    std::chrono::year_month_day date{std::chrono::year(*year),
                                     std::chrono::month(static_cast<unsigned>(*month)),
                                     std::chrono::day(static_cast<unsigned>(*day))};
    // Nanoseconds since 1970 fit for these years.
    if (!date.ok() || *year < 1678 || *year > 2261) return std::nullopt;
    if (*hour > 23 || *minute > 59 || *second > 59) return std::nullopt;
    return std::chrono::sys_days(date) + std::chrono::hours(*hour) + std::chrono::minutes(*minute) +
           std::chrono::seconds(*second) + *fraction;
}

}  // namespace base
