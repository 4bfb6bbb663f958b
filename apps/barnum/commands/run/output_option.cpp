#include "commands/run/output_option.hpp"

#include "base/number.hpp"

#include <cstdint>

namespace barnum {

namespace {

constexpr std::uint64_t largest_size = std::uint64_t{1} << 40;

// The unit at the end of the text, which is taken off.
std::uint64_t take_unit(std::string_view& text) {
    constexpr std::string_view units = "KMG";
    std::size_t unit = text.empty() ? std::string_view::npos : units.find(text.back());
    if (unit == std::string_view::npos) return 1;
    text.remove_suffix(1);
    return std::uint64_t{1} << (10 * (unit + 1));
}

}  // namespace

std::optional<launch::KeepOutput> parse_keep_output(std::string_view text) {
    if (text == "all") return launch::KeepOutput{};
    if (text == "none") return launch::KeepOutput{false, std::nullopt};
    std::uint64_t unit = take_unit(text);
    auto number = base::parse_number<std::uint64_t>(text);
    if (!number || *number == 0 || *number > largest_size / unit) return std::nullopt;
    return launch::KeepOutput{true, static_cast<std::size_t>(*number * unit)};
}

}  // namespace barnum
