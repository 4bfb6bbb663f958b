// Colours, and whether to use them. Reads the environment only in Environment::current().
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace terminal {

// --color
enum class Color { automatic, always, never };

std::optional<Color> parse_color(std::string_view name);  // "auto", "always", "never"

// Environment variables about terminals. Unset and empty are equivalent.
struct Environment {
    static Environment current();

    std::string term;            // TERM
    std::string no_color;        // NO_COLOR: any value turns colours off (no-color.org)
    std::string clicolor_force;  // CLICOLOR_FORCE: any value but "0" turns them on, even without a terminal
};

// A terminal that cannot move its cursor (TERM=dumb).
bool is_dumb(const Environment& environment);

// The option takes precedence over NO_COLOR, NO_COLOR over CLICOLOR_FORCE. Without any of them, terminals get
// colours, except dumb ones.
bool wants_color(Color choice, bool is_terminal, const Environment& environment);

enum class Style { bold, dim, red, green, yellow, blue, cyan };

// The text in that style if `colored`; otherwise the text unchanged.
std::string paint(std::string_view text, Style style, bool colored);

}  // namespace terminal
