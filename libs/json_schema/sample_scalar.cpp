#include "json_schema/sample_scalar.hpp"

#include "base/text.hpp"
#include "json/utf8.hpp"
#include "json_schema/sample_format.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace json_schema {

namespace {

constexpr std::size_t longest_text = 1'000'000;

// The text has 15 digits, so that 3 times 0.1 gives 0.3.
std::string number_text(long double value) {
    bool is_whole = value == std::floor(value) && std::fabs(value) < 9e18L;
    char text[64];
    std::snprintf(text, sizeof text, is_whole ? "%.0Lf" : "%.15Lg", value == 0 ? 0 : value);
    return text;
}

// The least common multiple of the divisors; approximate if there is none.
long double grid_of(const NumberFacts& facts, bool whole) {
    std::vector<long double> parts = facts.multiple_of;
    if (whole) parts.push_back(1);
    long double largest = std::ranges::max(parts);
    auto divides = [](long double number) {
        return [number](long double part) {
            return std::fabs(number / part - std::round(number / part)) < 1e-9L;
        };
    };
    for (int factor = 1; factor <= 10'000; ++factor)
        if (std::ranges::all_of(parts, divides(largest * factor))) return largest * factor;
    return largest;
}

// The multiple nearest to 0, then further ones away from 0.
long double on_grid(const NumberFacts& facts, long double grid, std::size_t variation) {
    auto step = static_cast<long double>(variation);
    std::optional<long double> first, last;
    if (facts.lower) {
        first = std::ceil(facts.lower->value / grid);
        if (facts.lower->exclusive && *first * grid <= facts.lower->value) *first += 1;
    }
    if (facts.upper) {
        last = std::floor(facts.upper->value / grid);
        if (facts.upper->exclusive && *last * grid >= facts.upper->value) *last -= 1;
    }
    if (!first || *first < 0) {
        if (last && *last <= 0) return std::max(*last - step, first.value_or(*last - step)) * grid;
        first = 0;
    }
    return (last && *last >= *first ? std::min(*first + step, *last) : *first + step) * grid;
}

// Alternates between integers and other numbers if both are allowed.
long double between(const NumberFacts& facts, std::size_t variation) {
    long double step = static_cast<long double>(variation) / 2;
    if (!facts.lower && !facts.upper) return step;
    if (!facts.upper) return std::floor(facts.lower->value) + 1 + step;
    if (!facts.lower) return std::ceil(facts.upper->value) - 1 - step;
    if (variation == 0 && !facts.lower->exclusive) return facts.lower->value;
    return facts.lower->value + (facts.upper->value - facts.lower->value) / (2 * step + 2);
}

// "text", "text1", …; "a", "b", … if the length is limited.
std::string plain_text(const StringFacts& facts, std::size_t variation) {
    std::string text = variation == 0 ? "text" : base::concat("text", variation);
    if (text.size() > facts.most) {
        text.clear();
        std::size_t length = std::min<std::size_t>(facts.most, std::max<std::size_t>(facts.least, 2));
        for (; text.size() < length; variation /= 26)
            text.push_back(static_cast<char>('a' + variation % 26));
    }
    if (text.size() < facts.least) text.append(facts.least - text.size(), 'x');
    return text;
}

std::optional<std::string> matching_text(const StringFacts& facts, std::size_t variation) {
    const std::string& pattern = facts.patterns[variation % facts.patterns.size()];
    std::size_t number = variation / facts.patterns.size();
    auto text = sample_match(pattern, number, number % 4);
    if (!text) return std::nullopt;
    std::size_t length = json::utf8::code_points(*text);
    if (length < facts.least) text = sample_match(pattern, number, facts.least - length);
    length = json::utf8::code_points(*text);
    if (length < facts.least)
        text->append(facts.least - length, 'x');  // matches unless the pattern ends in $
    return text;
}

}  // namespace

std::string sample_number(const NumberFacts& facts, bool whole, std::size_t variation) {
    if (!whole && facts.multiple_of.empty()) return number_text(between(facts, variation));
    return number_text(on_grid(facts, grid_of(facts, whole), variation));
}

std::optional<std::string> sample_string(const StringFacts& facts, std::size_t variation) {
    if (facts.least > longest_text) return std::nullopt;
    auto formatted = sample_format(facts.format, variation);
    bool may_match = !facts.patterns.empty() &&
                     variation % 2 == 1;  // a pattern may allow only some of the texts of a format
    if (formatted && !may_match) return formatted;
    return facts.patterns.empty() ? plain_text(facts, variation) : matching_text(facts, variation);
}

}  // namespace json_schema
