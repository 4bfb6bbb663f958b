// JSON text: what check() accepts is what Boost.JSON's own reader accepts, View finds in it what that finds,
// and compact(), pretty() and quote() say the same in other words.
#include "json/json.hpp"

#include "fuzz.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include <algorithm>
#include <optional>

namespace {

using boost::json::value;
using fuzz::must;
using json::Dialect;
using json::Kind;
using json::View;

std::string_view text_of(const boost::json::string& string) {
    return {string.data(), string.size()};
}

struct Parsed {
    boost::system::error_code code;
    value tree;
};

Parsed parsed_by_boost(std::string_view text, Dialect dialect) {
    boost::json::parse_options options;
    options.max_depth = json::max_depth;
    options.allow_comments = options.allow_trailing_commas = dialect == Dialect::jsonc;
    Parsed parsed;
    parsed.tree =
        boost::json::parse(boost::json::string_view(text.data(), text.size()), parsed.code, {}, options);
    return parsed;
}

bool same(View view, const value& tree);

bool same_elements(View view, const boost::json::array& array) {
    auto elements = view.elements();
    if (elements.size() != array.size()) return false;
    for (std::size_t i = 0; i < array.size(); ++i)
        if (!same(elements[i], array[i])) return false;
    return true;
}

// Of a name that occurs twice, Boost keeps the last.
bool same_members(View view, const boost::json::object& object) {
    bool has_duplicate = json::duplicate_name(view).has_value();
    auto members = view.members();
    if (!has_duplicate && members.size() != object.size()) return false;
    for (const auto& member : members) {
        const value* found = object.if_contains(member.key.string());
        if (!found || !view.find(member.key.string())) return false;
        if (!has_duplicate && !same(member.value, *found)) return false;
    }
    return true;
}

bool same_number(View view, const value& tree) {
    auto integer = view.integer();
    if (tree.is_int64()) return !integer || *integer == tree.get_int64();
    return !integer || view.text() == "-0";
}

bool same(View view, const value& tree) {
    switch (view.kind()) {
        case Kind::null:
            return tree.is_null();
        case Kind::boolean:
            return tree.is_bool() && view.boolean() == tree.get_bool();
        case Kind::number:
            return tree.is_number() && same_number(view, tree);
        case Kind::string:
            return tree.is_string() && view.string() == text_of(tree.get_string());
        case Kind::array:
            return tree.is_array() && same_elements(view, tree.get_array());
        case Kind::object:
            return tree.is_object() && same_members(view, tree.get_object());
    }
    return false;
}

// Where the two may differ: Boost gives up on exponents that don't fit an int; it takes `**/` for no end of a
// comment, wants a newline after a line comment, and looks at no byte in either.
bool is_comparable(std::string_view text, Dialect dialect, const boost::system::error_code& code) {
    if (code == boost::json::error::exponent_overflow) return false;
    bool has_comment = text.find('/') != std::string_view::npos;
    return dialect == Dialect::json || !has_comment ||
           (!json::invalid_utf8(text) && text.find("**/") == std::string_view::npos);
}

void check_refusal(std::string_view text, const json::SyntaxError& error) {
    must(error.offset <= text.size(), "an error is in the text");
    must(!error.message.empty(), "an error says what is wrong");
    auto at = json::position(text, error.offset);
    must(at.line >= 1 && at.column >= 1, "an error has a place");
}

void check_writers(View view) {
    std::string compact = json::compact(view);
    must(!json::check(compact), "compact text is JSON");
    must(json::compact(View::of(compact)) == compact, "compact text stays as it is");
    std::string pretty = json::pretty(view);
    must(!json::check(pretty), "pretty text is JSON");
    must(json::compact(View::of(pretty)) == compact, "pretty text says the same");
    // Indented for hundreds of levels, it is long, and looking at each level of it takes long.
    constexpr std::size_t enough = 32 * 1024;
    if (pretty.size() < enough) must(json::pretty(View::of(pretty)) == pretty, "pretty text stays as it is");
}

void check_members(std::string_view text, std::optional<View> view) {
    auto members = json::members_of(text);
    must(members.has_value() == (view && view->is(Kind::object)), "only a valid object has members");
    if (!members) return;
    auto expected = view->members();
    bool same =
        std::ranges::equal(*members, expected, [](const json::Member& one, const json::Member& other) {
            return one.key.text().data() == other.key.text().data() &&
                   one.key.text().size() == other.key.text().size() &&
                   one.value.text().data() == other.value.text().data() &&
                   one.value.text().size() == other.value.text().size();
        });
    must(same, "the members that are found while the text is checked are those of the object");
}

void check_text(std::string_view text, Dialect dialect) {
    auto error = json::check(text, dialect);
    Parsed parsed = parsed_by_boost(text, dialect);
    bool comparable = is_comparable(text, dialect, parsed.code);
    if (comparable) must(error.has_value() == parsed.code.failed(), "what is accepted is what Boost accepts");
    if (dialect == Dialect::json) check_members(text, error ? std::nullopt : std::optional(View::of(text)));
    if (error) return check_refusal(text, *error);
    must(!json::invalid_utf8(text), "what is accepted is UTF-8");
    View view = View::of(text);
    if (comparable && !parsed.code) must(same(view, parsed.tree), "what is found is what Boost finds");
    check_writers(view);
}

void check_quote(std::string_view text) {
    std::string quoted = json::quote(text);
    must(!json::check(quoted), "a quoted text is JSON");
    std::string back = View::of(quoted).string();
    must(!json::invalid_utf8(back), "a quoted text is UTF-8");
    must(json::quote(back) == quoted, "a quoted text is quoted as it was");
    if (!json::invalid_utf8(text)) must(back == text, "a quoted text comes out as it went in");
}

}  // namespace

void fuzz::target(std::string_view input) {
    check_text(input, Dialect::json);
    check_text(std::string(input) + "\n", Dialect::jsonc);
    check_quote(input);
}
