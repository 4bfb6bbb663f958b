// JSON text that is checked once and then read in place. Nothing is converted: a number, a string or the
// order of keys comes out as it went in, and every piece knows its place in the text, for messages with
// line and column. What is JSON is accepted quickly, without Boost.JSON; a text that is not is Boost.JSON's
// to judge: where it is wrong, and why. Does not build a tree, and does not change text.
#pragma once

#include "base/error.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace json {

// The deepest nesting that is accepted, in arrays and objects.
inline constexpr std::size_t max_depth = 512;

enum class Dialect {
    json,   // RFC 8259
    jsonc,  // and // and /* */ comments, and trailing commas
};

enum class Kind { null, boolean, number, string, array, object };

struct SyntaxError {
    std::size_t offset;   // byte offset into the text
    std::string message;  // what is wrong, without the place: "expected a comma or ']'"
};

// Nothing if `text` is exactly one JSON value (white space, and in JSONC comments, around it), valid UTF-8,
// at most `depth` deep. Number text is not limited: 1e400 and a 30-digit integer are fine.
std::optional<SyntaxError> check(std::string_view text, Dialect dialect = Dialect::json,
                                 std::size_t depth = max_depth);

struct Position {
    std::size_t line = 1;    // from 1
    std::size_t column = 1;  // from 1, in code points
};
Position position(std::string_view text, std::size_t offset);

struct Member;

// One value inside checked text (either dialect): a view, as cheap to copy as a string_view; the text must
// outlive it. The accessors expect the right kind (`members` an object, and so on); asking a wrong one is a
// bug of the caller.
class View {
  public:
    View() = default;
    // `checked` has passed check(); white space and comments around the value are skipped.
    static View of(std::string_view checked);

    Kind kind() const;
    bool is(Kind k) const { return kind() == k; }

    // The value's own text, without anything around it; its data() points into the checked text.
    std::string_view text() const { return text_; }

    bool boolean() const;
    std::string string() const;  // decoded
    std::string_view string(
        std::string& room) const;  // decoded; in `room`, or where it stands if it has no escape
    bool is_string(std::string_view wanted) const;  // is a string, and decoded is `wanted`
    std::vector<View> elements() const;
    std::vector<Member> members() const;

    // The member of that (decoded) name; the first, should there be two. Nothing if absent or if this is no
    // object.
    std::optional<View> find(std::string_view name) const;

    // The number as an integer, if it is written as one (no fraction, no exponent) and fits.
    std::optional<std::int64_t> integer() const;
    // The number as a double; 1e400 gives infinity.
    double number() const;

  private:
    friend class Scanner;
    friend std::optional<View> accept(std::string_view text, std::size_t depth);
    explicit View(std::string_view text) : text_(text) {}
    std::string_view text_;
};

// check() that hands out the value, which it has found anyway: cheaper than View::of() afterwards.
boost::system::result<View, SyntaxError> checked(std::string_view text, Dialect dialect = Dialect::json,
                                                 std::size_t depth = max_depth);

struct Member {
    View key;  // a string; key.string() is the name
    View value;
};

// A name that stands twice in the object, if there is one.
std::optional<std::string> duplicate_name(View object);

// The same value on one line: white space and comments between tokens and trailing commas removed, nothing
// else changed. What state logs, payloads and messages carry.
std::string compact(View value);

// For people: two spaces of indentation; an array or object of scalars only stays on one line if it is short:
// `{ "type": "array" }`, `["findings"]`.
std::string pretty(View value);

// `text` as a JSON string, quotes included. Invalid UTF-8 in `text` comes out as U+FFFD.
std::string quote(std::string_view text);
void append_quoted(std::string& out, std::string_view text);
// How long quote() makes valid UTF-8, in bytes.
std::size_t quoted_size(std::string_view text);

// check() with a message for people: "<what>: line 3, column 7: <message>".
base::Result<View> parse(std::string_view text, std::string_view what, Dialect dialect = Dialect::json);

// Nothing if the text is valid UTF-8, else the offset of the first byte that is not.
std::optional<std::size_t> invalid_utf8(std::string_view text);

}  // namespace json
