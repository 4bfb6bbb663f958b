// How far a trace has been taken. Depends on the log alone, so it stays valid when the log is read anew.
// Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace trace {

struct Position {
    std::uint32_t rows = 0;         // attempts, in the order of their submissions
    std::uint32_t completions = 0;  // ends of attempts, in the order of the log

    friend bool operator==(const Position&, const Position&) = default;
};

// "120.64"
std::string to_string(Position position);
// Nothing if it is not exactly such a text.
std::optional<Position> parse_position(std::string_view text);

}  // namespace trace
