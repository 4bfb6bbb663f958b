#include "terminal/color.hpp"

#include "base/own_environment.hpp"
#include "base/text.hpp"

namespace terminal {

namespace {

std::string_view code(Style style) {
    switch (style) {
        case Style::bold:
            return "1";
        case Style::dim:
            return "2";
        case Style::red:
            return "31";
        case Style::green:
            return "32";
        case Style::yellow:
            return "33";
        case Style::blue:
            return "34";
        case Style::cyan:
            return "36";
    }
    return "0";
}

}  // namespace

std::optional<Color> parse_color(std::string_view name) {
    if (name == "auto") return Color::automatic;
    if (name == "always") return Color::always;
    if (name == "never") return Color::never;
    return std::nullopt;
}

Environment Environment::current() {
    return {base::own_variable("TERM"), base::own_variable("NO_COLOR"), base::own_variable("CLICOLOR_FORCE")};
}

bool is_dumb(const Environment& environment) {
    return environment.term.empty() || environment.term == "dumb";
}

bool wants_color(Color choice, bool is_terminal, const Environment& environment) {
    if (choice != Color::automatic) return choice == Color::always;
    if (!environment.no_color.empty()) return false;
    if (!environment.clicolor_force.empty() && environment.clicolor_force != "0") return true;
    return is_terminal && !is_dumb(environment);
}

std::string paint(std::string_view text, Style style, bool colored) {
    if (!colored || text.empty()) return std::string(text);
    return base::concat("\x1b[", code(style), "m", text, "\x1b[0m");
}

}  // namespace terminal
