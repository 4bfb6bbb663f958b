#include "problem_output.hpp"

#include "base/text.hpp"
#include "json/json.hpp"
#include "json/shown_text.hpp"
#include "terminal/color.hpp"

#include <iostream>
#include <unistd.h>

namespace barnum {

namespace {

using terminal::Style;

// Its parts may be of any file or argument.
config::Problem shown(config::Problem problem) {
    for (std::string* text : {&problem.file, &problem.message, &problem.excerpt})
        *text = json::shown_text(*text);
    return problem;
}

std::string painted(const config::Problem& problem) {
    bool is_error = problem.severity == config::Severity::error;
    std::string word = is_error ? "error:" : "warning:";
    std::string text = config::to_string(problem);
    // What stands before it may be a file's name, and that may be anything: but not after the line's number.
    std::size_t at = text.rfind(word, text.size() - problem.message.size());
    if (at != std::string::npos)
        text.replace(at, word.size(), terminal::paint(word, is_error ? Style::red : Style::yellow, true));
    if (problem.excerpt.empty()) return text;
    std::size_t caret = problem.excerpt.find_last_of(" |") + 1;
    return text + "\n" + problem.excerpt.substr(0, caret) +
           terminal::paint(problem.excerpt.substr(caret), Style::green, true);
}

}  // namespace

void print_problems(const config::Problems& problems) {
    bool colored = terminal::wants_color(terminal::Color::automatic, ::isatty(STDERR_FILENO) != 0,
                                         terminal::Environment::current());
    for (const config::Problem& found : problems.shown) {
        const config::Problem problem = shown(found);
        std::cerr << (colored ? painted(problem) : config::with_excerpt(problem)) << "\n";
    }
    if (problems.omitted > 0) std::cerr << config::omitted(problems) << "\n";
}

std::string problems_json(const config::Problems& problems) {
    std::string out = "[";
    for (const config::Problem& problem : problems.shown) {
        bool is_error = problem.severity == config::Severity::error;
        out += base::concat(out.size() > 1 ? ",\n " : "", "{\"severity\":\"", is_error ? "error" : "warning",
                            "\",\"file\":", json::quote(problem.file));
        if (problem.line > 0) out += base::concat(",\"line\":", problem.line, ",\"column\":", problem.column);
        out += base::concat(",\"message\":", json::quote(problem.message));
        if (!problem.excerpt.empty()) out += base::concat(",\"excerpt\":", json::quote(problem.excerpt));
        out += "}";
    }
    return out + "]";
}

}  // namespace barnum
