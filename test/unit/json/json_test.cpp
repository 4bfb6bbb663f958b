#include "json/json.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <string>

namespace {

using json::Dialect;
using json::Kind;
using json::View;

std::string repeat(std::string_view piece, std::size_t times) {
    std::string out;
    for (std::size_t i = 0; i < times; ++i)
        out += piece;
    return out;
}

std::string nested(std::string_view open, std::size_t depth, std::string_view inner, std::string_view close) {
    return repeat(open, depth) + std::string(inner) + repeat(close, depth);
}

// "line:column message", or "" if the text is fine.
std::string complaint(std::string_view text, Dialect dialect = Dialect::json) {
    auto error = json::check(text, dialect);
    if (!error) return "";
    auto at = json::position(text, error->offset);
    return std::to_string(at.line) + ":" + std::to_string(at.column) + " " + error->message;
}

bool accepts(std::string_view text, Dialect dialect = Dialect::json) {
    return complaint(text, dialect).empty();
}

View view(std::string_view text) {
    REQUIRE(accepts(text, Dialect::jsonc));
    return View::of(text);
}

}  // namespace

TEST_CASE("every kind of JSON value is accepted, with white space around it") {
    for (auto text : {"null", " true ", "\tfalse\r\n", "0", "-0", "1.5e-3", "\"\"", "[]", "{}",
                      "{\"a\":[1,{\"b\":null}]}"}) {
        CHECK(complaint(text).empty());
    }
}

TEST_CASE("number text is not limited") {
    for (auto text : {"1.0", "1e400", "-1E-400", "123456789012345678901234567890", "1e2147483648",
                      "[1e99999999999, 1E+99999999999999999999, 0.1e-99999999999, \"\\u1e99999999999\"]"}) {
        CHECK(complaint(text).empty());
    }
}

TEST_CASE("an error behind an absurd exponent has its right place") {
    CHECK(complaint("[1e99999999999, x]") ==
          "1:17 unknown word; expected true, false, null, a number, or a string in double quotes");
    CHECK(complaint("1e99999999999 1e99999999999") ==
          "1:15 expected nothing more after the value, found '1'");
    CHECK_FALSE(accepts("[1e99999999999"));
    CHECK_FALSE(accepts("[1e99999999999, 1e]"));
}

TEST_CASE("nesting is accepted 512 deep and not 513") {
    CHECK(accepts(nested("[", 512, "", "]")));
    CHECK(accepts(nested("{\"a\":", 512, "1", "}")));
    CHECK(complaint(nested("[", 513, "", "]")) ==
          "1:513 nested too deep: at most 512 levels of arrays and objects");
    CHECK(complaint(nested("{\"a\":", 513, "1", "}")) ==
          "1:2561 nested too deep: at most 512 levels of arrays and objects");
    CHECK_FALSE(accepts(repeat("[", 1'000'000)));
    CHECK_FALSE(accepts(nested("[", 513, "", "]"), Dialect::jsonc));
}

TEST_CASE("a syntax error says what was expected and what is there") {
    CHECK(complaint("") == "1:1 expected a value, but the text is empty");
    CHECK(complaint("  ") == "1:3 expected a value, but the text ends here");
    CHECK(complaint("[1") == "1:3 expected a comma or ']', but the text ends here");
    CHECK(complaint("[1 2]") == "1:4 expected a comma or ']', found '2'");
    CHECK(complaint("[1,\n  2,,3]") == "2:5 expected a value, found ','");
    CHECK(complaint("{\"a\":1 \"b\":2}") == "1:8 expected a comma or '}', found '\"'");
    CHECK(complaint("{\"a\" 1}") == "1:6 expected ':' after the name, found '1'");
    CHECK(complaint("{1:1}") == "1:2 expected a name in double quotes or '}', found '1'");
    CHECK(complaint("[1}") == "1:3 expected a comma or ']', found '}'");
    CHECK(complaint("1 2") == "1:3 expected nothing more after the value, found '2'");
    CHECK(complaint("[\"\xC3\xA9\", \xC3\xA9]") == "1:7 expected a value, found '\xC3\xA9'");
}

TEST_CASE("common slips have names of their own") {
    CHECK(complaint("[1,]") == "1:4 a comma before a closing bracket is not allowed here");
    CHECK(complaint("{\"a\":1,}") == "1:8 a comma before a closing bracket is not allowed here");
    CHECK(complaint("{a:1}") == "1:2 names are written in double quotes");
    CHECK(complaint("{'a':1}") == "1:2 strings and names are written in double quotes");
    CHECK(complaint("1 // one") == "1:3 comments are not allowed here");
    CHECK(complaint("[01]") == "1:3 a number must not start with 0");
    CHECK(complaint("[1.]") == "1:4 expected a digit in the number, found ']'");
    CHECK(complaint("[-]") == "1:3 expected a digit in the number, found ']'");
    CHECK(complaint("[NaN]") ==
          "1:2 unknown word; expected true, false, null, a number, or a string in double quotes");
    CHECK(complaint("\xEF\xBB\xBF{}") ==
          "1:1 the text starts with a byte order mark; save it as UTF-8 without one");
    CHECK(complaint(std::string_view("[1\0]", 4)) == "1:3 expected a comma or ']', found a NUL byte");
}

TEST_CASE("an error inside of a string is named") {
    CHECK(complaint("\"abc") == "1:5 a string is not closed");
    CHECK(complaint("[\"a\nb\"]") ==
          "1:4 a string is not closed on its line; a line break in it is written \\n");
    CHECK(complaint("\"a\x01\"") ==
          "1:3 a control character in a string must be written as an escape (\\u00XX)");
    CHECK(complaint(std::string_view("\"\0\"", 3)) ==
          "1:2 a control character in a string must be written as an escape (\\u00XX)");
    CHECK(complaint("\"\\x\"") == "1:3 unknown escape in a string: \\x");
    CHECK(complaint("\"\\u12g4\"") == "1:6 expected four hexadecimal digits after \\u");
}

TEST_CASE("half of a surrogate pair is refused wherever it stands") {
    for (auto text : {"\"\\ud800\"", "\"\\ud800x\"", "\"\\uDBFF\\n\"", "\"\\udc00\"", "\"\\ud800\\ud800\"",
                      "{\"\\ud800\":1}"}) {
        CHECK_THAT(complaint(text), Catch::Contains("half of a surrogate pair"));
    }
    CHECK(accepts("\"\\ud83d\\ude00\""));
}

TEST_CASE("text that is not UTF-8 is refused, in comments too") {
    for (auto text : {"\"\xFF\"", "\"\xC3\"", "\"\xC0\xAF\"", "\"\xED\xA0\x80\"", "\"\xF4\x90\x80\x80\"",
                      "\"\xE2\x82\""}) {
        CHECK(complaint(text) == "1:2 not valid UTF-8");
    }
    CHECK(complaint("/*\xFF*/1", Dialect::jsonc) == "1:3 not valid UTF-8");
}

TEST_CASE("JSONC has comments and trailing commas") {
    for (auto text : {"// c\n{/*x*/\"a\":1,/*y*/}//e", "[1,2,/*x*/]", "{\"a\"/**/:/* * **/1/***/}",
                      "[1//x\n]", "[\"// no comment\", \"/*\"]", "1 //"}) {
        CHECK(complaint(text, Dialect::jsonc).empty());
    }
    CHECK(complaint("[,]", Dialect::jsonc) == "1:2 expected a value or ']', found ','");
    CHECK(complaint("[1,,]", Dialect::jsonc) == "1:4 expected a value, found ','");
    CHECK(complaint("[1,\n/* ]", Dialect::jsonc) == "2:1 a comment is not closed");
    CHECK(complaint("[1] / 2", Dialect::jsonc) == "1:5 a comment starts with // or /*");
    CHECK(complaint("/", Dialect::jsonc) == "1:1 a comment starts with // or /*");
    CHECK_FALSE(accepts("// nothing", Dialect::jsonc));
}

TEST_CASE("a position counts lines, and columns in code points") {
    std::string_view text = "a\n\xC3\xA9\xE2\x82\xAC x\r\nlast";
    CHECK(json::position(text, 0).line == 1);
    auto x = json::position(text, text.find('x'));
    CHECK(x.line == 2);
    CHECK(x.column == 4);
    auto end = json::position(text, text.size());
    CHECK(end.line == 3);
    CHECK(end.column == 5);
}

TEST_CASE("a view reads values in place") {
    std::string_view text =
        " // c\n{ \"a\" : [1, 2 ,] /*x*/, \"b\\u0063\" : \"d\\n\", \"e\":true, \"f\":null, \"g\":{} , } ";
    View object = view(text);
    REQUIRE(object.kind() == Kind::object);
    CHECK(object.text().data() == text.data() + 6);
    CHECK(object.text().back() == '}');
    auto members = object.members();
    REQUIRE(members.size() == 5);
    CHECK(members[0].key.string() == "a");
    CHECK(members[0].value.text() == "[1, 2 ,]");
    CHECK(members[1].key.string() == "bc");
    CHECK(members[1].value.string() == "d\n");
    auto elements = members[0].value.elements();
    REQUIRE(elements.size() == 2);
    CHECK(elements[1].text() == "2");
    CHECK(elements[1].text().data() == text.data() + text.find('2'));
    CHECK(object.find("e")->boolean());
    CHECK(object.find("f")->is(Kind::null));
    CHECK(object.find("g")->members().empty());
    CHECK(object.find("bc")->is(Kind::string));
    CHECK_FALSE(object.find("b"));
    CHECK_FALSE(elements[0].find("a"));
}

TEST_CASE("the members of an object are found while it is checked") {
    std::string_view text = " { \"a\" : [1, {\"n\": 2}] , \"b\\u0063\":\"}\\\"\" } ";
    auto members = json::members_of(text);
    REQUIRE(members);
    REQUIRE(members->size() == 2);
    CHECK(members->at(0).key.text() == "\"a\"");
    CHECK(members->at(0).value.text() == "[1, {\"n\": 2}]");
    CHECK(members->at(0).value.text().data() == text.data() + text.find('['));
    CHECK(members->at(1).key.is_string("bc"));
    CHECK(members->at(1).value.string() == "}\"");
    CHECK(json::members_of("{}")->empty());
    for (const char* other : {"", "[]", "1", "\"{}\"", "{", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{1:2}",
                              "{} {}", "{\"\xff\":1}"})
        CHECK_FALSE(json::members_of(other));
}

TEST_CASE("the members of an object are found as deep as is allowed") {
    CHECK(json::members_of(nested("{\"a\":", 4, "1", "}"), 4));
    CHECK_FALSE(json::members_of(nested("{\"a\":", 5, "1", "}"), 4));
}

TEST_CASE("a string is compared with what it decodes to") {
    CHECK(view(R"("a\u0062c")").is_string("abc"));
    CHECK(view(R"("abc")").is_string("abc"));
    CHECK(view(R"("\\")").is_string("\\"));
    CHECK_FALSE(view(R"("\\")").is_string(R"(\\)"));
    CHECK_FALSE(view(R"("ab")").is_string("abc"));
    CHECK_FALSE(view(R"("abcd")").is_string("abc"));
    CHECK_FALSE(view("12").is_string("12"));
    CHECK(view("\"\"").is_string(""));
}

TEST_CASE("brackets and quotes inside of strings and comments do not mislead a view") {
    View array = view(R"([ "]\\\"", {"}\\": "[{"} /* ] " */, 3 // "
    ])");
    auto elements = array.elements();
    REQUIRE(elements.size() == 3);
    CHECK(elements[0].string() == "]\\\"");
    CHECK(elements[1].find("}\\")->string() == "[{");
    CHECK(elements[2].text() == "3");
}

TEST_CASE("a string is decoded") {
    CHECK(view(R"("\"\\\/\b\f\n\r\t")").string() == "\"\\/\b\f\n\r\t");
    CHECK(view(R"("\u0041\u00e9\u20AC\ud83d\ude00!")").string() == "A\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80!");
    CHECK(view(R"("\u0000")").string() == std::string(1, '\0'));
    CHECK(view("\"\"").string().empty());
}

TEST_CASE("a number is an integer only if written as one that fits") {
    CHECK(view("42").integer() == 42);
    CHECK(view("-9223372036854775808").integer() == INT64_MIN);
    CHECK_FALSE(view("9223372036854775808").integer());
    CHECK_FALSE(view("1.0").integer());
    CHECK_FALSE(view("1e2").integer());
    CHECK_FALSE(view("\"1\"").integer());
}

TEST_CASE("a number out of range becomes infinity or zero") {
    CHECK(view("1.5").number() == 1.5);
    CHECK(std::isinf(view("1e400").number()));
    CHECK(view("-1e99999999999").number() == -HUGE_VAL);
    CHECK(view("1e-400").number() == 0);
}

TEST_CASE("a name that occurs twice is found however it is spelled") {
    CHECK_FALSE(json::duplicate_name(view(R"({"a":{"b":1},"b":2})")));
    CHECK(json::duplicate_name(view(R"({"a":1,"b":2,"\u0061":3})")) == "a");
    CHECK(View::of(R"({"a":1,"a":2})").find("a")->text() == "1");
}

TEST_CASE("compact leaves out space, comments and trailing commas, and nothing else") {
    CHECK(json::compact(view(" { \"b\" : [ 1.0 , 1e400,\t123456789012345678901234567890 ] , // c\n"
                             "\"a\" : \"\\u00e9 /* , ] */ \\\" \", /* d */ } ")) ==
          R"({"b":[1.0,1e400,123456789012345678901234567890],"a":"\u00e9 /* , ] */ \" "})");
    CHECK(json::compact(view("[1, /* x */ ]")) == "[1]");
    CHECK(json::compact(view("[ [ ] , { } ]")) == "[[],{}]");
    CHECK(json::compact(view(" 1E+5 ")) == "1E+5");
}

TEST_CASE("compact keeps deep and large values byte for byte") {
    std::string deep = nested("{\"a\":[", 250, "1.0", "]}");
    CHECK(json::compact(view(deep)) == deep);
    std::string large = "[\"" + std::string(40u << 20, 'x') + "\\u00e9\"]";
    REQUIRE(accepts(large));
    CHECK(json::compact(View::of(large)) == large);
    CHECK(View::of(large).elements().at(0).string().size() == (40u << 20) + 2);
}

TEST_CASE("pretty puts scalars on one line and everything else on lines of its own") {
    CHECK(json::pretty(view(
              R"({"type":"object","required":["findings"],"properties":{"findings":{"type":"array"}}})")) ==
          R"({
  "type": "object",
  "required": ["findings"],
  "properties": {
    "findings": { "type": "array" }
  }
})");
    CHECK(json::pretty(view("{ }")) == "{}");
    CHECK(json::pretty(view("[\n]")) == "[]");
    CHECK(json::pretty(view("1.0")) == "1.0");
    CHECK(json::pretty(view("{\"a\":[],\"b\":{}}")) == "{\n  \"a\": [],\n  \"b\": {}\n}");
}

TEST_CASE("pretty breaks a list of scalars that would pass column 80") {
    auto pretty_of = [](std::size_t length, std::string_view after) {
        std::string text = "{\"k\":[\"" + std::string(length, 'x') + "\"]" + std::string(after) + "}";
        return json::pretty(View::of(text));
    };
    // Two spaces, `"k": `, `["`, the text, `"]` and the comma: 80 columns at 68.
    auto fits = pretty_of(68, ",\"z\":1");
    CHECK(fits.find("\n", 2) == 82);
    CHECK(pretty_of(69, ",\"z\":1").find("[\n") != std::string::npos);
    CHECK(pretty_of(69, "").find("[\n") == std::string::npos);
}

TEST_CASE("quote makes JSON of any text") {
    CHECK(json::quote("") == "\"\"");
    CHECK(json::quote("a\"b\\\n\r\t\b\f\x01\x7F/\xC3\xA9") ==
          "\"a\\\"b\\\\\\n\\r\\t\\b\\f\\u0001\x7F/\xC3\xA9\"");
    CHECK(json::quote(std::string_view("\0", 1)) == "\"\\u0000\"");
    CHECK(json::quote("x\xFF\xC3y") == "\"x\xEF\xBF\xBD\xEF\xBF\xBDy\"");
    std::string all;
    for (int c = 0; c < 128; ++c)
        all.push_back(static_cast<char>(c));
    CHECK(view(json::quote(all)).string() == all);
}

TEST_CASE("how long a text becomes as a string is told without quoting it") {
    std::string all;
    for (int c = 0; c < 0x80; ++c) {
        std::string one(1, static_cast<char>(c));
        INFO(c);
        CHECK(json::quoted_size(one) == json::quote(one).size());
        all += one;
    }
    all += "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80";
    CHECK(json::quoted_size(all) == json::quote(all).size());
    CHECK(json::quoted_size("") == 2);
}

TEST_CASE("invalid UTF-8 is found where it starts") {
    CHECK_FALSE(json::invalid_utf8(""));
    CHECK_FALSE(json::invalid_utf8("plain ascii text, longer than eight bytes \xF0\x9F\x98\x80 and on"));
    CHECK(json::check("\"caf\xe9\"")->offset == 4);
    CHECK(json::check("\"caf\xe9\"")->message == "not valid UTF-8");
    CHECK(json::invalid_utf8("0123456789\x80") == 10);
    CHECK(json::invalid_utf8("ab\xE2\x82") == 2);
    CHECK(json::invalid_utf8("\xC1\x81") == 0);
    CHECK(json::invalid_utf8("\xF5\x80\x80\x80") == 0);
}

TEST_CASE("parse says what, where and why") {
    auto good = json::parse(" [1] ", "the answer");
    REQUIRE(good.has_value());
    CHECK(good->text() == "[1]");
    auto bad = json::parse("[1,\n2", "the answer");
    REQUIRE_FALSE(bad.has_value());
    CHECK(bad.error().message ==
          "the answer: line 2, column 2: expected a comma or ']', but the text ends here");
}
