#include "schema_helper.hpp"

using namespace json_schema_test;

TEST_CASE("a number without a fraction is an integer, however it is written") {
    for (auto value : {"1", "-0", "1.0", "1e3", "1200e-2", "123456789012345678901234567890",
                       "18446744073709551615", "1e400", "-1e99999999999", "12345678901234567890.0"}) {
        CHECK(violation(R"({"type": "integer"})", value).empty());
        CHECK(violation(R"({"type": "number"})", value).empty());
    }
    for (auto value : {"1.5", "1e-1", "12345678901234567890.5", "1e-400", "0.5e-99999999999"}) {
        CHECK(violation(R"({"type": "integer"})", value) == "expected integer, found a number");
        CHECK(violation(R"({"type": "number"})", value).empty());
    }
}

TEST_CASE("each type takes its own values only") {
    const std::pair<const char*, const char*> types[] = {{"null", "null"},   {"boolean", "true"},
                                                         {"string", "\"\""}, {"array", "[]"},
                                                         {"object", "{}"},   {"number", "1.5"}};
    for (const auto& [type, own] : types) {
        for (const auto& [other, value] : types) {
            bool same = std::string(type) == other;
            CHECK(fits(std::string("{\"type\": \"") + type + "\"}", value) == same);
        }
    }
    CHECK(fits(R"({"type": ["string", "null"]})", "null"));
    CHECK(violation(R"({"type": ["string", "null"]})", "1") == "expected string or null, found an integer");
}

TEST_CASE("a violation has its place in the value as a JSON pointer") {
    constexpr auto schema = R"({
        "type": "object", "required": ["findings"], "additionalProperties": false,
        "properties": {"findings": {"type": "array",
                                    "items": {"properties": {"a/b~": {"type": "string"}}}}}})";
    CHECK(fits(schema, R"({"findings": [{"a/b~": "x"}, {}]})"));
    CHECK(violation(schema, R"({"findings": [{}, {"a/b~": 5}]})") ==
          "at /findings/1/a~1b~0: expected string, found an integer");
    CHECK(violation(schema, "{}") == "missing member \"findings\"");
    CHECK(violation(schema, R"({"findings": [], "x'y": 1})") == "not allowed: the member \"x'y\"");
    CHECK(violation(schema, "[]") == "expected object, found an array");
}

TEST_CASE("enum and const compare values, not their text") {
    CHECK(fits(R"({"enum": ["a", 1, {"x": [1.0], "y": null}]})", R"({"y": null, "x": [1]})"));
    CHECK(fits(R"({"enum": [1]})", "1.0"));
    CHECK(fits(R"({"const": 123456789012345678901234567890})", "1234567890123456789012345678900e-1"));
    CHECK(fits(R"({"const": "\u00e9"})", "\"\xC3\xA9\""));
    CHECK_FALSE(fits(R"({"const": 9007199254740993})", "9007199254740992"));
    CHECK_FALSE(fits(R"({"const": "a\u0000b"})", R"("a\u0000c")"));
    CHECK_FALSE(fits(R"({"const": false})", "0"));
    CHECK(violation(R"({"enum": ["a", 1.0]})", "2") == R"(expected one of ["a",1.0])");
    CHECK(violation(R"({"const": {"a": 1.0}})", "2") == R"(expected {"a":1.0})");
}

TEST_CASE("limits of numbers are exact for 64-bit integers") {
    CHECK(fits(R"({"minimum": 9007199254740993})", "9007199254740993"));
    CHECK(violation(R"({"minimum": 9007199254740993})", "9007199254740992") ==
          "expected 9007199254740993 or more");
    CHECK(violation(R"({"maximum": 1.5})", "1e400") == "expected 1.5 or less");
    CHECK(violation(R"({"exclusiveMinimum": 5})", "5.0") == "expected more than 5");
    CHECK(violation(R"({"exclusiveMaximum": 5})", "5") == "expected less than 5");
    CHECK(fits(R"({"exclusiveMaximum": 5, "minimum": 1})", "4.99"));
    CHECK(fits(R"({"minimum": 5})", "\"1\""));
}

TEST_CASE("multipleOf takes fractions") {
    CHECK(fits(R"({"multipleOf": 0.1})", "0.3"));
    CHECK(fits(R"({"multipleOf": 0.01})", "19.99"));
    CHECK_FALSE(fits(R"({"multipleOf": 0.01})", "19.995"));
    CHECK(fits(R"({"multipleOf": 2.5})", "-7.5"));
    CHECK_FALSE(fits(R"({"multipleOf": 2.5})", "1"));
    CHECK(fits(R"({"multipleOf": 2.5})", "0.0"));
}

TEST_CASE("multipleOf is exact for numbers of any size") {
    CHECK_FALSE(fits(R"({"multipleOf": 3})", "1e30"));
    CHECK(fits(R"({"multipleOf": 3})", "3e30"));
    CHECK(fits(R"({"multipleOf": 10})", "1e30"));
    CHECK(fits(R"({"multipleOf": 1e-300})", "1e300"));
    CHECK_FALSE(fits(R"({"multipleOf": 1e300})", "1e-300"));
    CHECK(fits(R"({"multipleOf": 3})", "-9223372036854775806"));
    CHECK_FALSE(fits(R"({"multipleOf": 3})", "-9223372036854775808"));
    CHECK(fits(R"({"multipleOf": 18446744073709551615})", "18446744073709551615"));
    CHECK(fits(R"({"multipleOf": 1})", "3.0"));
    CHECK(fits(R"({"multipleOf": 1})", "1e400"));
    CHECK(violation(R"({"multipleOf": 1})", "2.5") == "expected a multiple of 1");
    CHECK_FALSE(fits(R"({"multipleOf": 0.1})", "0.35"));
    CHECK_FALSE(fits(R"({"multipleOf": 3})", "9223372036854775807"));
}

TEST_CASE("lengths count code points, NUL among them") {
    CHECK(fits(R"({"minLength": 2, "maxLength": 2})", "\"\xC3\xA9\xF0\x9F\x98\x80\""));
    CHECK(fits(R"({"minLength": 3, "maxLength": 3})", R"("\u0000\u0000\ud83d\ude00")"));
    CHECK(violation(R"({"minLength": 1})", "\"\"") == "expected at least 1 character, found 0");
    CHECK(violation(R"({"maxLength": 3})", "\"abcd\"") == "expected at most 3 characters, found 4");
}

TEST_CASE("a pattern works on characters and anywhere in the text") {
    CHECK(fits(R"({"pattern": "b+"})", "\"abbc\""));
    CHECK(fits(R"({"pattern": "^.{3}$"})", "\"\xC3\xA4\xC3\xB6\xF0\x9F\x98\x80\""));
    CHECK(fits(R"({"pattern": "^\\u00e9[\\u00e0-\\u00ff]\\\\u$"})", R"("\u00e9\u00e1\\u")"));
    CHECK_FALSE(fits(R"({"pattern": "^\\u00e9$"})", "\"E\""));
    CHECK_FALSE(fits(R"({"pattern": "^a$"})", R"("a\n")"));
    CHECK_FALSE(fits(R"({"pattern": "^b"})", R"("a\nb")"));
    CHECK_FALSE(fits(R"({"pattern": "a.b"})", R"("a\nb")"));
    CHECK_FALSE(fits(R"({"pattern": "a.b"})", R"("a\rb")"));
    CHECK_FALSE(fits(R"({"pattern": "a.b"})", R"("a\u2028b")"));
    CHECK(fits(R"({"pattern": "a.b[.]$"})", R"("a\u000bb.")"));
    CHECK(fits(R"({"pattern": "^b"})", "5"));
    CHECK(violation(R"({"pattern": "^b"})", "\"a\"") == R"(expected a string that matches the pattern "^b")");
}

TEST_CASE("a pattern means what it means in ECMA 262") {
    CHECK(fits(R"({"pattern": "^\\ud83d\\ude00[\\ud83d\\ude00-\\ud83d\\ude02]$"})",
               "\"\xF0\x9F\x98\x80\xF0\x9F\x98\x81\""));
    CHECK(fits(R"({"pattern": "^(?=.*[0-9])(?!.*pass)[a-z0-9]{6,}$"})", "\"secret1\""));
    CHECK_FALSE(fits(R"({"pattern": "^(?=.*[0-9])(?!.*pass)[a-z0-9]{6,}$"})", "\"mypass1\""));
    CHECK(fits(R"({"pattern": "^(['\"]).*\\1$"})", R"("\"it's\"")"));
    CHECK(fits(R"({"pattern": "^(?<year>\\d{4})-\\k<year>$"})", "\"2024-2024\""));
    CHECK(fits(R"({"pattern": "^(?:(a)|b)\\1$"})", "\"b\""));
    CHECK(fits(R"({"pattern": "^[^]$"})", R"("\n")"));
    CHECK_FALSE(fits(R"({"pattern": "[]"})", "\"a\""));
    CHECK_FALSE(fits(R"({"pattern": "^\\w$"})", "\"\xC3\xA9\""));
    CHECK_FALSE(fits(R"({"pattern": "^\\d$"})", "\"\xD9\xA1\""));
}

TEST_CASE("a pattern meets a long text without harm") {
    std::string million = repeat("a", 1'000'000);
    CHECK(fits(R"({"pattern": "^[a-z]*$"})", "\"" + million + "\""));
    CHECK_FALSE(fits(R"({"pattern": "^(a|b)*$"})", "\"" + million + "!\""));
    CHECK(fits(R"({"pattern": "^(.|\\n)*$"})", "\"" + repeat("a", 10'000'000) + "\\n\""));
    CHECK_FALSE(fits(R"({"pattern": "^(.|\\n)*$"})", "\"" + million + "\\r\""));
    CHECK(violation(R"({"pattern": "^(a+)+$"})", "\"" + repeat("a", 50) + "!\"") ==
          "matching the pattern takes too long");
    CHECK_FALSE(fits(R"({"patternProperties": {"^(x|y)*$": {}}})", "{\"" + million + "\": 1}"));
}

TEST_CASE("items are compared by value for uniqueItems") {
    constexpr auto schema = R"({"uniqueItems": true})";
    CHECK(fits(schema, "[1, \"1\", true, [1], {\"a\": 1}]"));
    CHECK(violation(schema, "[1, 2, 1.0]") == "expected no item twice, but item 2 is a repetition");
    CHECK_FALSE(fits(schema, R"([{"a": 1, "b": 2}, {"b": 2, "a": 1}])"));
    CHECK(fits(R"({"uniqueItems": false})", "[1, 1]"));
    std::string many = "[0";
    for (int i = 1; i < 100'000; ++i)
        many += "," + std::to_string(i);
    CHECK(fits(schema, many + "]"));
}

TEST_CASE("schemas are combined") {
    constexpr auto any = R"({"anyOf": [{"type": "string"}, {"type": "object", "required": ["a"]}]})";
    CHECK(fits(any, "\"\""));
    CHECK(fits(any, R"({"a": 1})"));
    CHECK(violation(any, "1") == "expected string, found an integer (and no other alternative fits)");
    CHECK(violation(R"({"oneOf": [{"type": "integer"}, {"minimum": 2}]})", "3") ==
          "more than one alternative of \"oneOf\" fits");
    CHECK_FALSE(fits(R"({"allOf": [{"minimum": 1}, {"maximum": 2}]})", "3"));
    CHECK(violation(R"({"not": {"type": "string"}})", "\"\"") ==
          "the value matches the schema that \"not\" excludes");
    constexpr auto conditional =
        R"({"if": {"type": "string"}, "then": {"minLength": 1}, "else": {"type": "null"}})";
    CHECK(fits(conditional, "null"));
    CHECK(violation(conditional, "\"\"") == "expected at least 1 character, found 0");
    CHECK(violation(conditional, "1") == "expected null, found an integer");
}

TEST_CASE("members and items have schemas") {
    CHECK(violation(R"({"contains": {"const": 1}})", "[2]") == "no item matches \"contains\"");
    CHECK(fits(R"({"contains": {"const": 1}})", "[2, 1.0]"));
    CHECK(violation(R"({"propertyNames": {"maxLength": 2, "pattern": "^a"}})", R"({"abc": 1})") ==
          "a member's name does not match \"propertyNames\"");
    CHECK(fits(R"({"propertyNames": {"maxLength": 2, "pattern": "^a", "type": "string", "enum": ["a"]}})",
               R"({"a": 1})"));
    CHECK(violation(R"({"dependencies": {"a": ["b"]}})", R"({"a": 1})") == "missing member \"b\"");
    CHECK_FALSE(fits(R"({"dependencies": {"a": {"required": ["c"]}}})", R"({"a": 1})"));
    CHECK(violation(R"({"items": [{"type": "string"}], "additionalItems": false})", R"(["a", 1])") ==
          "more items than allowed");
    CHECK(violation(R"({"items": [true, {"type": "string"}]})", "[1, 2]") ==
          "at /1: expected string, found an integer");
    constexpr auto pattern =
        R"({"patternProperties": {"^x": {"type": "string"}}, "additionalProperties": false})";
    CHECK(fits(pattern, R"({"xa": ""})"));
    CHECK(violation(pattern, R"({"xa": 1})") == "at /xa: expected string, found an integer");
    CHECK(violation(pattern, R"({"y": 1})") == "not allowed: the member \"y\"");
    CHECK(violation(R"({"minItems": 1})", "[]") == "expected at least 1 item, found 0");
    CHECK_FALSE(fits(R"({"maxItems": 1})", "[1, 2]"));
    CHECK_FALSE(fits(R"({"minProperties": 1})", "{}"));
    CHECK_FALSE(fits(R"({"maxProperties": 1})", R"({"a": 1, "b": 2})"));
}

TEST_CASE("a boolean is a schema") {
    CHECK(fits("true", "1"));
    CHECK(violation("false", "1") == "no value is allowed here");
    CHECK(violation(R"({"properties": {"a": false}})", R"({"a": 1})") == "not allowed: the member \"a\"");
}

TEST_CASE("keywords are only keywords where a schema stands") {
    constexpr auto schema =
        R"({"properties": {"pattern": {"type": "string"}, "$ref": {"type": "integer"}, "tpye": {}},
                               "default": {"tpye": 1},
                               "enum": [{"pattern": "a", "requird": 1}, {"$ref": 1}]})";
    CHECK(fits(schema, R"({"pattern": "a", "requird": 1})"));
    CHECK(fits(schema, R"({"$ref": 1})"));
}

TEST_CASE("references within the schema are followed") {
    CHECK(violation(R"({"$ref": "#/definitions/a", "definitions": {"a": {"type": "string"}}})", "1") ==
          "expected string, found an integer");
    CHECK(violation(R"({"items": {"$ref": "#/$defs/a~1b%25"}, "$defs": {"a/b%": {"type": "string"}}})",
                    "[1]") == "at /0: expected string, found an integer");
    constexpr auto list =
        R"({"type": "object", "properties": {"v": {"type": "integer"}, "next": {"$ref": "#"}}})";
    CHECK(fits(list, R"({"v": 1, "next": {"v": 2}})"));
    CHECK(violation(list, R"({"v": 1, "next": {"v": 2, "next": {"v": "x"}}})") ==
          "at /next/next/v: expected integer, found a string");
    // "b/not" is a member here, and "not" of "b" a schema.
    constexpr auto alike =
        R"({"properties": {"a": {"$ref": "#/properties/b/not"}, "b": {"not": {"type": "null"}},
                               "b/not": {"type": "string"}}})";
    CHECK_FALSE(fits(alike, R"({"a": ""})"));
    CHECK(fits(alike, R"({"a": null, "b/not": ""})"));
}

TEST_CASE("values nested 500 deep are checked") {
    constexpr auto schema = R"({"type": "array", "items": {"$ref": "#"}})";
    CHECK(fits(schema, repeat("[", 500) + repeat("]", 500)));
    CHECK_FALSE(fits(schema, repeat("[", 500) + "1" + repeat("]", 500)));
}
