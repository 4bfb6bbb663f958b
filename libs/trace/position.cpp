#include "trace/position.hpp"

#include "base/text.hpp"

#include <charconv>

namespace trace {

namespace {

// Takes digits, as to_string() writes them, from the beginning of `text`.
std::optional<std::uint32_t> take_number(std::string_view& text) {
    std::uint32_t number = 0;
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    auto length = static_cast<std::size_t>(end - text.data());
    if (error != std::errc() || (length > 1 && text.front() == '0')) return std::nullopt;
    text.remove_prefix(length);
    return number;
}

}  // namespace

std::string to_string(Position position) {
    return base::concat(position.rows, ".", position.completions);
}

std::optional<Position> parse_position(std::string_view text) {
    auto rows = take_number(text);
    if (!rows || !text.starts_with('.')) return std::nullopt;
    text.remove_prefix(1);
    auto completions = take_number(text);
    if (!completions || !text.empty()) return std::nullopt;
    return Position{*rows, *completions};
}

}  // namespace trace
