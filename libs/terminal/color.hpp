// Whether output is coloured, and the colours. Looks at no environment itself but in Environment::current().
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace terminal {

// --color
enum class Color { automatic, always, never };

std::optional<Color> parse_color(std::string_view name);  // "auto", "always", "never"

// What users say about terminals in general; unset and empty are the same.
struct Environment {
    static Environment current();

    std::string term;            // TERM
    std::string no_color;        // NO_COLOR: anything turns colours off (no-color.org)
    std::string clicolor_force;  // CLICOLOR_FORCE: anything but "0" turns them on, terminal or not
};

// A terminal that can't move its cursor, by its own account (TERM=dumb).
bool is_dumb(const Environment& environment);

// The option decides, else NO_COLOR, else CLICOLOR_FORCE; else terminals get colours, dumb ones excepted.
bool wants_color(Color choice, bool is_terminal, const Environment& environment);

enum class Style { bold, dim, red, green, yellow, blue, cyan };

// The text in that style and plain after it, if `colored`, else the text.
std::string paint(std::string_view text, Style style, bool colored);

}  // namespace terminal
