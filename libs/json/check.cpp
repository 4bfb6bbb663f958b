#include "base/character.hpp"
#include "base/text.hpp"
#include "json/accept.hpp"
#include "json/explain.hpp"
#include "json/json.hpp"
#include "json/scanner.hpp"
#include "json/utf8.hpp"

#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/error.hpp>

#include <algorithm>
#include <cstdint>

namespace json {

namespace {

using boost::json::string_view;
using boost::system::error_code;

// A parse handler that accepts every event and stores nothing.
struct IgnoreEvents {
    static constexpr std::size_t max_array_size = SIZE_MAX;
    static constexpr std::size_t max_object_size = SIZE_MAX;
    static constexpr std::size_t max_string_size = SIZE_MAX;
    static constexpr std::size_t max_key_size = SIZE_MAX;

    bool on_document_begin(error_code&) { return true; }
    bool on_document_end(error_code&) { return true; }
    bool on_array_begin(error_code&) { return true; }
    bool on_array_end(std::size_t, error_code&) { return true; }
    bool on_object_begin(error_code&) { return true; }
    bool on_object_end(std::size_t, error_code&) { return true; }
    bool on_string_part(string_view, std::size_t, error_code&) { return true; }
    bool on_string(string_view, std::size_t, error_code&) { return true; }
    bool on_key_part(string_view, std::size_t, error_code&) { return true; }
    bool on_key(string_view, std::size_t, error_code&) { return true; }
    bool on_number_part(string_view, error_code&) { return true; }
    bool on_int64(std::int64_t, string_view, error_code&) { return true; }
    bool on_uint64(std::uint64_t, string_view, error_code&) { return true; }
    bool on_double(double, string_view, error_code&) { return true; }
    bool on_bool(bool, error_code&) { return true; }
    bool on_null(error_code&) { return true; }
    bool on_comment_part(string_view, error_code&) { return true; }
    bool on_comment(string_view, error_code&) { return true; }
};

using Parser = boost::json::basic_parser<IgnoreEvents>;

struct Grammar {
    Dialect dialect;
    std::size_t depth;
};

boost::json::parse_options options(Grammar grammar) {
    boost::json::parse_options options;
    options.max_depth = grammar.depth;
    options.allow_trailing_commas = grammar.dialect == Dialect::jsonc;
    return options;
}

struct Outcome {
    error_code code;
    std::size_t offset = 0;
};

Outcome finish(Parser& parser, std::string_view text, std::size_t from) {
    Outcome outcome;
    outcome.offset = from + parser.write_some(false, text.data() + from, text.size() - from, outcome.code);
    if (!outcome.code && outcome.offset < text.size()) outcome.code = boost::json::error::extra_data;
    return outcome;
}

Outcome parse_with_boost(std::string_view text, Grammar grammar) {
    Parser parser(options(grammar));
    return finish(parser, text, 0);
}

std::size_t end_of_digits(std::string_view text, std::size_t from) {
    auto end = std::find_if_not(text.begin() + static_cast<std::ptrdiff_t>(from), text.end(), base::is_digit);
    return static_cast<std::size_t>(end - text.begin());
}

// Boost.JSON computes the exponent and fails if it does not fit an int. The number of digits does not matter
// to the grammar, so digits after the eighth are hidden from the parser. (Text in a string that looks like an
// exponent loses digits as well. This is harmless: eight digits are longer than any \u escape.)
Outcome parse_long_exponents(std::string_view text, Grammar grammar) {
    constexpr std::size_t shown = 8;
    Parser parser(options(grammar));
    std::size_t from = 0;
    std::size_t at = 0;
    while ((at = text.find_first_of("eE", at)) != std::string_view::npos) {
        ++at;
        if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
        std::size_t end = end_of_digits(text, at);
        if (end > at + shown) {
            Outcome outcome;
            outcome.offset =
                from + parser.write_some(true, text.data() + from, at + shown - from, outcome.code);
            if (!outcome.code && outcome.offset < at + shown) outcome.code = boost::json::error::extra_data;
            if (outcome.code) return outcome;
            from = end;
        }
        at = end;
    }
    return finish(parser, text, from);
}

// Replaces comments with spaces, which keeps all offsets. Boost 1.81 can parse comments, but takes `/* **/`
// for an unclosed one. Stops at an unclosed comment, where the parser will stop as well.
void blank_comments(std::string& text) {
    std::size_t at = 0;
    while (at < text.size()) {
        if (text[at] != '"' && text[at] != '/') {
            ++at;
            continue;
        }
        bool is_string = text[at] == '"';
        if (!is_string && !is_comment(text, at)) return;
        std::size_t end = is_string ? string_end(text, at) : comment_end(text, at);
        if (end == std::string_view::npos) return;
        if (!is_string) std::fill_n(text.begin() + static_cast<std::ptrdiff_t>(at), end - at, ' ');
        at = end;
    }
}

std::optional<SyntaxError> check_syntax(std::string_view text, Grammar grammar) {
    Outcome outcome = parse_with_boost(text, grammar);
    if (outcome.code == boost::json::error::exponent_overflow) outcome = parse_long_exponents(text, grammar);
    if (!outcome.code) return std::nullopt;
    // Boost may have continued past an invalid UTF-8 byte before it noticed.
    if (auto bad = invalid_utf8(text.substr(0, outcome.offset))) return SyntaxError{*bad, "not valid UTF-8"};
    return SyntaxError{outcome.offset, explain(text, outcome.offset, grammar.dialect, outcome.code)};
}

std::optional<SyntaxError> syntax_error(std::string_view text, Grammar grammar) {
    if (grammar.dialect == Dialect::json) return check_syntax(text, grammar);
    std::string without_comments(text);
    blank_comments(without_comments);
    if (auto error = check_syntax(without_comments, grammar)) return error;
    if (auto bad = invalid_utf8(text)) return SyntaxError{*bad, "not valid UTF-8"};  // in a comment
    return std::nullopt;
}

}  // namespace

boost::system::result<View, SyntaxError> checked(std::string_view text, Dialect dialect, std::size_t depth) {
    if (auto value = accept(text, depth)) return *value;  // JSON is JSONC, too
    if (auto error = syntax_error(text, {dialect, depth})) return std::move(*error);
    return View::of(text);
}

std::optional<SyntaxError> check(std::string_view text, Dialect dialect, std::size_t depth) {
    auto value = checked(text, dialect, depth);
    if (value.has_error()) return value.error();
    return std::nullopt;
}

std::optional<std::vector<Member>> members_of(std::string_view text, std::size_t depth) {
    if (auto members = accept_object(text, depth)) return members;
    auto value = checked(text, Dialect::json, depth);
    if (value.has_error() || !value->is(Kind::object)) return std::nullopt;
    return value->members();
}

Position position(std::string_view text, std::size_t offset) {
    auto before = text.substr(0, offset);
    auto newlines = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
    std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 == 0
    return {newlines + 1, utf8::code_points(before.substr(line_start)) + 1};
}

base::Result<View> parse(std::string_view text, std::string_view what, Dialect dialect) {
    auto value = checked(text, dialect);
    if (!value.has_error()) return *value;
    Position at = position(text, value.error().offset);
    return base::invalid(
        base::concat(what, ": line ", at.line, ", column ", at.column, ": ", value.error().message));
}

}  // namespace json
