#include "base/byte_size.hpp"

#include "base/limits.hpp"
#include "base/number.hpp"

#include <algorithm>
#include <cctype>
#include <string>

namespace base {

namespace {

// "KiB": 1024. Nothing if it is no unit.
std::optional<std::uint64_t> factor_of(std::string unit) {
    constexpr std::string_view letters = "kmgt";
    std::ranges::transform(unit, unit.begin(), [](unsigned char c) { return std::tolower(c); });
    if (unit.empty() || unit == "b") return 1;
    const std::size_t power = letters.find(unit[0]);
    const std::string rest = unit.substr(1);
    if (power == letters.npos || (!rest.empty() && rest != "b" && rest != "ib")) return std::nullopt;
    std::uint64_t factor = 1;
    for (std::size_t i = 0; i <= power; ++i)
        factor *= rest == "b" ? 1000 : 1024;
    return factor;
}

}  // namespace

std::optional<std::uint64_t> parse_byte_size(std::string_view text) {
    const std::size_t unit = std::min(text.find_first_not_of("+0123456789"), text.size());
    auto count = parse_number<std::uint64_t>(text.substr(0, unit));
    auto factor = factor_of(std::string(text.substr(unit)));
    if (!count || !factor || *count > most_stored_bytes / *factor) return std::nullopt;
    return *count * *factor;
}

}  // namespace base
