#include "json/explain.hpp"

#include "base/character.hpp"
#include "base/text.hpp"
#include "json/scanner.hpp"
#include "json/utf8.hpp"

#include <boost/json/error.hpp>

#include <algorithm>

namespace json {

namespace {

constexpr std::string_view half_a_pair =
    "half of a surrogate pair: \\uD800 to \\uDBFF must be followed by \\uDC00 to \\uDFFF, and only there";

constexpr std::string_view unknown_word =
    "unknown word; expected true, false, null, a number, or a string in double quotes";

enum class Token { nothing, open, comma, colon, key, value };

// The parser's context after a well-formed prefix.
struct Context {
    std::string open;  // the open brackets, outermost first
    Token last = Token::nothing;
    std::string_view word;  // the number or literal at the end of the prefix, if any
    bool in_string = false;

    bool in_object() const { return !open.empty() && open.back() == '{'; }
};

void read_punctuation(char c, Context& context) {
    if (c == '[' || c == '{') {
        context.open.push_back(c);
        context.last = Token::open;
    } else if (c == ']' || c == '}') {
        if (!context.open.empty()) context.open.pop_back();
        context.last = Token::value;
    } else {
        context.last = c == ',' ? Token::comma : Token::colon;
    }
}

// Reads the token at `at`. Returns the offset past it, or npos if it continues past the end.
std::size_t read_token(std::string_view prefix, std::size_t at, Context& context) {
    char c = prefix[at];
    if (c == '"') {
        bool is_key = context.in_object() && (context.last == Token::open || context.last == Token::comma);
        context.last = is_key ? Token::key : Token::value;
        std::size_t end = string_end(prefix, at);
        context.in_string = end == std::string_view::npos;
        return end;
    }
    if (!is_word_byte(c)) {
        read_punctuation(c, context);
        return at + 1;
    }
    auto rest = prefix.substr(at);
    auto end = std::find_if_not(rest.begin(), rest.end(), is_word_byte);
    context.last = Token::value;
    if (end == rest.end()) context.word = rest;
    return at + static_cast<std::size_t>(end - rest.begin());
}

Context read(std::string_view prefix) {
    Context context;
    std::size_t at = 0;
    while (at < prefix.size()) {
        if (is_space(prefix[at])) {
            ++at;
        } else {
            at = read_token(prefix, at, context);
        }
    }
    return context;
}

std::string found(std::string_view rest) {
    if (rest.empty()) return "but the text ends here";
    std::size_t length = utf8::sequence_length(rest);
    if (length == 0) return "found a byte that is not valid UTF-8";
    auto byte = static_cast<unsigned char>(rest.front());
    if (byte == 0) return "found a NUL byte";
    if (byte == '\n' || byte == '\r') return "found the end of the line";
    if (byte < 0x20 || byte == 0x7F) return "found a control character";
    return base::concat("found '", rest.substr(0, length), "'");
}

std::string expected(const Context& context) {
    bool in_object = context.in_object();
    switch (context.last) {
        case Token::nothing:
        case Token::colon:
            return "expected a value";
        case Token::key:
            return "expected ':' after the name";
        case Token::open:
            return in_object ? "expected a name in double quotes or '}'" : "expected a value or ']'";
        case Token::comma:
            return in_object ? "expected a name in double quotes" : "expected a value";
        case Token::value:
            break;
    }
    if (context.open.empty()) return "expected nothing more after the value";
    return in_object ? "expected a comma or '}'" : "expected a comma or ']'";
}

// Whether the text ends with the escape of a high surrogate.
bool ends_with_high_surrogate(std::string_view prefix) {
    if (prefix.ends_with('\\'))
        prefix.remove_suffix(1);  // the backslash of the escape that should be the low surrogate
    if (prefix.size() < 6) return false;
    auto escape = prefix.substr(prefix.size() - 6);
    return escape.starts_with("\\u") && (escape[2] == 'd' || escape[2] == 'D') &&
           std::string_view("89abAB").find(escape[3]) != std::string_view::npos;
}

std::string explain_in_string(std::string_view prefix, std::string_view rest) {
    if (rest.empty()) return "a string is not closed";
    auto byte = static_cast<unsigned char>(rest.front());
    std::size_t length = utf8::sequence_length(rest);
    if (byte == '\n' || byte == '\r')
        return "a string is not closed on its line; a line break in it is written \\n";
    if (byte < 0x20) return "a control character in a string must be written as an escape (\\u00XX)";
    if (length == 0) return "not valid UTF-8";
    if (ends_with_high_surrogate(prefix)) return std::string(half_a_pair);
    return base::concat("unknown escape in a string: \\", rest.substr(0, length));
}

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_number(std::string_view word) {
    return !word.empty() && (word.front() == '-' || base::is_digit(word.front()));
}

// The error in a number or literal in which, or right after which, the parser stopped; empty if it is
// correct.
std::string explain_word(std::string_view word, std::string_view rest) {
    if (word.empty() || word == "true" || word == "false" || word == "null") return "";
    if (!is_number(word)) return std::string(unknown_word);
    if ((word == "0" || word == "-0") && !rest.empty() && base::is_digit(rest.front())) {
        return "a number must not start with 0";
    }
    return base::is_digit(word.back()) ? "" : base::concat("expected a digit in the number, ", found(rest));
}

std::string explain_slash(std::string_view rest, Dialect dialect) {
    if (dialect == Dialect::json) return "comments are not allowed here";
    return rest.starts_with("/*") ? "a comment is not closed" : "a comment starts with // or /*";
}

// Mistakes that deserve a better message than "expected X, found Y". Empty for others.
std::string explain_common_mistake(const Context& context, std::string_view rest, Dialect dialect) {
    char c = rest.empty() ? '\0' : rest.front();
    bool wants_name = context.in_object() && (context.last == Token::open || context.last == Token::comma);
    bool wants_value = context.last != Token::key && context.last != Token::value;
    bool closes = (c == ']' || c == '}') && !context.open.empty() && (c == '}') == context.in_object();
    if (is_letter(c) && wants_name) return "names are written in double quotes";
    if (is_letter(c) && wants_value) return std::string(unknown_word);
    if (c == '\'') return "strings and names are written in double quotes";
    if (c == '/') return explain_slash(rest, dialect);
    if (closes && context.last == Token::comma) return "a comma before a closing bracket is not allowed here";
    return explain_word(context.word, rest);
}

std::string explain_syntax(std::string_view text, std::size_t offset, Dialect dialect) {
    auto prefix = text.substr(0, offset);
    auto rest = text.substr(offset);
    if (offset == 0 && text.starts_with("\xEF\xBB\xBF")) {
        return "the text starts with a byte order mark; save it as UTF-8 without one";
    }
    Context context = read(prefix);
    if (context.in_string) return explain_in_string(prefix, rest);
    std::string habit = explain_common_mistake(context, rest, dialect);
    if (!habit.empty()) return habit;
    if (text.empty()) return "expected a value, but the text is empty";
    return base::concat(expected(context), ", ", found(rest));
}

}  // namespace

std::string explain(std::string_view text, std::size_t offset, Dialect dialect,
                    const boost::system::error_code& code) {
    using boost::json::error;
    if (code == error::too_deep) {
        return base::concat("nested too deep: at most ", max_depth, " levels of arrays and objects");
    }
    if (code == error::expected_hex_digit) return "expected four hexadecimal digits after \\u";
    if (code == error::illegal_leading_surrogate || code == error::illegal_trailing_surrogate ||
        code == error::expected_utf16_escape) {
        return "half of a surrogate pair: \\uD800 to \\uDBFF must be followed by \\uDC00 to \\uDFFF, and "
               "only there";
    }
    return explain_syntax(text, offset, dialect);
}

}  // namespace json
