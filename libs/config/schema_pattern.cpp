#include "config/schema_pattern.hpp"

#include "base/json_utf8.hpp"
#include "base/text.hpp"

#include <boost/regex.hpp>

namespace config {

namespace {

static_assert(sizeof(wchar_t) == 4, "a wchar_t is a code point");

std::wstring code_points(std::string_view text) {
    std::wstring out;
    out.reserve(text.size());
    while (!text.empty()) {
        auto [code_point, length] = json::utf8::first_code_point(text);
        out.push_back(static_cast<wchar_t>(code_point));
        text.remove_prefix(length);
    }
    return out;
}

// ECMA writes \u00e9 where Boost wants \x{00e9}; Boost takes \u for "an upper-case letter".
std::wstring with_code_point_escapes(std::wstring_view expression) {
    std::wstring out;
    for (std::size_t i = 0; i < expression.size(); ++i) {
        out.push_back(expression[i]);
        if (expression[i] != L'\\' || i + 1 == expression.size()) continue;
        ++i;
        if (expression[i] == L'u' && i + 4 < expression.size()) {
            out.append(L"x{").append(expression.substr(i + 1, 4)).append(L"}");
            i += 4;
        } else {
            out.push_back(expression[i]);
        }
    }
    return out;
}

// Boost ends by quoting the expression, of which it cuts each character to a byte.
std::string without_garbled_quote(std::string message, std::string_view expression) {
    bool is_ascii = json::utf8::is_ascii(expression);
    return is_ascii ? message : message.substr(0, message.find("  The error occurred while parsing"));
}

}  // namespace

struct Pattern::Compiled {
    boost::wregex regex;
};

base::Result<Pattern> Pattern::compile(std::string_view expression) {
    try {
        boost::wregex regex(with_code_point_escapes(code_points(expression)), boost::regex::perl);
        return Pattern(std::make_shared<const Compiled>(Compiled{std::move(regex)}));
    } catch (const std::exception& error) {
        std::string why = without_garbled_quote(error.what(), expression);
        return base::invalid(base::concat("no valid regular expression: ", why));
    }
}

base::Result<bool> Pattern::found_in(std::string_view text) const {
    try {
        auto flags = boost::match_default | boost::match_single_line | boost::match_not_dot_newline;
        return boost::regex_search(code_points(text), compiled_->regex, flags);
    } catch (const std::exception&) {
        return base::invalid("matching the pattern takes too long");
    }
}

}  // namespace config
