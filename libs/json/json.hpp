// JSON text that is checked once and then read in place. Nothing is converted: numbers, strings and the order
// of keys stay as written, and each value knows its position in the text, for messages with line and column.
// Valid JSON is accepted by a fast parser of this room; for other texts, Boost.JSON finds out what is wrong
// and where. Does not build a tree and does not change text.
#pragma once

#include "base/error.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace json {

// The maximum nesting of arrays and objects.
inline constexpr std::size_t max_depth = 512;

enum class Dialect {
    json,   // RFC 8259
    jsonc,  // JSON with // and /* */ comments and trailing commas
};

enum class Kind { null, boolean, number, string, array, object };

struct SyntaxError {
    std::size_t offset;   // byte offset in the text
    std::string message;  // the error without its position: "expected a comma or ']'"
};

// Empty if `text` is exactly one JSON value (white space, and in JSONC comments, may surround it), valid
// UTF-8, and nested at most `depth` levels. Numbers may have any size: 1e400 and an integer of 30 digits are
// accepted.
std::optional<SyntaxError> check(std::string_view text, Dialect dialect = Dialect::json,
                                 std::size_t depth = max_depth);

struct Position {
    std::size_t line = 1;    // from 1
    std::size_t column = 1;  // from 1, in code points
};
Position position(std::string_view text, std::size_t offset);

struct Member;

// A value inside checked text (either dialect). A view: as cheap to copy as a string_view, and valid as long
// as the text. Each accessor requires the right kind (`members` an object, and so on); calling it on another
// kind is a bug.
class View {
  public:
    View() = default;
    // `checked` has passed check(). White space and comments around the value are skipped.
    static View of(std::string_view checked);

    Kind kind() const;
    bool is(Kind k) const { return kind() == k; }

    // The value's text without anything around it. Its data() points into the checked text.
    std::string_view text() const { return text_; }

    bool boolean() const;
    std::string string() const;  // decoded
    std::string_view string(
        std::string& room) const;                   // decoded; uses `room` only if the string has an escape
    bool is_string(std::string_view wanted) const;  // whether this is a string that decodes to `wanted`
    std::vector<View> elements() const;
    std::vector<Member> members() const;

    // The member with this (decoded) name; the first one if there are several. Empty if there is none or this
    // is not an object.
    std::optional<View> find(std::string_view name) const;

    // The number as an integer, if it is written as one (no fraction, no exponent) and fits.
    std::optional<std::int64_t> integer() const;
    // The number as a double; 1e400 gives infinity.
    double number() const;

  private:
    friend class Scanner;
    friend class Reader;
    explicit View(std::string_view text) : text_(text) {}
    std::string_view text_;
};

// check() that returns the value. Cheaper than check() followed by View::of().
boost::system::result<View, SyntaxError> checked(std::string_view text, Dialect dialect = Dialect::json,
                                                 std::size_t depth = max_depth);

struct Member {
    View key;  // a string; key.string() is the name
    View value;
};

// The members of the object that `text` contains, noted while the text is checked, which is cheaper than
// check() and View::members(). Empty if check() finds an error in this JSON, or if the value is not an
// object.
std::optional<std::vector<Member>> members_of(std::string_view text, std::size_t depth = max_depth);

// A name that occurs twice in the object, if there is one.
std::optional<std::string> duplicate_name(View object);

// The value on one line: removes white space and comments between tokens and trailing commas, and changes
// nothing else. State logs, payloads and messages contain this form.
std::string compact(View value);

// The value for people, indented by two spaces. A short array or object of scalars stays on one line: `{
// "type": "array" }`, `["findings"]`.
std::string pretty(View value);

// `text` as a JSON string with quotes. Invalid UTF-8 is replaced by U+FFFD.
std::string quote(std::string_view text);
void append_quoted(std::string& out, std::string_view text);
// An array of such strings.
std::string quoted_list(const std::vector<std::string>& texts);
// The length in bytes of quote(text), for valid UTF-8.
std::size_t quoted_size(std::string_view text);

// check() with a message for the user: "<what>: line 3, column 7: <message>".
base::Result<View> parse(std::string_view text, std::string_view what, Dialect dialect = Dialect::json);

// Empty if the text is valid UTF-8, otherwise the offset of the first invalid byte.
std::optional<std::size_t> invalid_utf8(std::string_view text);

}  // namespace json
