#include "config/schema.hpp"

#include <catch2/catch.hpp>

#include <string>

namespace {

using config::Schema;

json::View view(std::string_view text) {
    REQUIRE_FALSE(json::check(text, json::Dialect::jsonc).has_value());
    return json::View::of(text);
}

std::shared_ptr<const Schema> compiled(std::string_view text) {
    auto schema = Schema::compile(view(text));
    INFO(text << (schema.has_error() ? schema.error().message : ""));
    REQUIRE(schema.has_value());
    return *schema;
}

// "" if the value satisfies the schema.
std::string violation(std::string_view schema, std::string_view value) {
    auto found = compiled(schema)->violation(view(value));
    if (!found) return "";
    found->schema_pointer.clear();
    return config::to_string(*found);
}

bool fits(std::string_view schema, std::string_view value) {
    return violation(schema, value).empty();
}

// The schema's problems, a line each; compile() must fail with the first, and succeed if there is none.
std::string problems(std::string_view text) {
    std::string out;
    for (const auto& problem : config::check_schema(view(text)))
        out += problem.message + "\n";
    auto schema = Schema::compile(view(text));
    CHECK(schema.has_value() == out.empty());
    if (schema.has_error()) CHECK_THAT(out, Catch::StartsWith(schema.error().message + "\n"));
    return out;
}

std::string repeat(std::string_view piece, std::size_t times) {
    std::string out;
    for (std::size_t i = 0; i < times; ++i)
        out += piece;
    return out;
}

}  // namespace

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

TEST_CASE("the formats of RFC 3339 are checked, of strings") {
    constexpr auto date = R"({"format": "date"})";
    CHECK(fits(date, "\"2024-02-29\""));
    CHECK(fits(date, "20240229"));
    CHECK(violation(date, "\"2023-02-29\"") == "expected a date as in RFC 3339");
    CHECK_FALSE(fits(date, "\"2024-02-29 \""));
    CHECK_FALSE(fits(date, "\"24-02-29\""));
    CHECK(fits(R"({"format": "time"})", "\"23:59:60.5+01:00\""));
    CHECK_FALSE(fits(R"({"format": "time"})", "\"23:59:59\""));
    CHECK_FALSE(fits(R"({"format": "time"})", "\"24:00:00Z\""));
    CHECK(fits(R"({"format": "date-time"})", "\"2022-07-18T16:52:45Z\""));
    CHECK_FALSE(fits(R"({"format": "date-time"})", "\"2022-07-18\""));
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
    CHECK(violation(R"({"not": {"type": "string"}})", "\"\"") == "this is what \"not\" rules out");
    constexpr auto conditional =
        R"({"if": {"type": "string"}, "then": {"minLength": 1}, "else": {"type": "null"}})";
    CHECK(fits(conditional, "null"));
    CHECK(violation(conditional, "\"\"") == "expected at least 1 character, found 0");
    CHECK(violation(conditional, "1") == "expected null, found an integer");
}

TEST_CASE("members and items have schemas") {
    CHECK(violation(R"({"contains": {"const": 1}})", "[2]") == "no item is as \"contains\" wants one");
    CHECK(fits(R"({"contains": {"const": 1}})", "[2, 1.0]"));
    CHECK(violation(R"({"propertyNames": {"maxLength": 2, "pattern": "^a"}})", R"({"abc": 1})") ==
          "a member's name is not as \"propertyNames\" wants it");
    CHECK(fits(R"({"propertyNames": {"maxLength": 2, "pattern": "^a", "type": "string", "enum": ["a"]}})",
               R"({"a": 1})"));
    CHECK(violation(R"({"dependencies": {"a": ["b"]}})", R"({"a": 1})") == "missing member \"b\"");
    CHECK_FALSE(fits(R"({"dependencies": {"a": {"required": ["c"]}}})", R"({"a": 1})"));
    CHECK(violation(R"({"items": [{"type": "string"}], "additionalItems": false})", R"(["a", 1])") ==
          "more items than \"items\" and \"additionalItems\" allow");
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

TEST_CASE("a value is not looked at by more than 16 schemas, one within the other") {
    auto nested = [](std::size_t count) {
        return repeat("{\"not\":", count - 1) + "true" + repeat("}", count - 1);
    };
    CHECK(violation(nested(16), "1") == "this is what \"not\" rules out");
    CHECK(problems(nested(17)) ==
          "the schema applies more than 16 schemas, one within the other or by $ref, to the same value: that "
          "is "
          "too deep to be checked\n");
    CHECK_THAT(problems(nested(500)), Catch::Contains("too deep to be checked"));
    // Each level of the value begins anew.
    CHECK(problems(repeat("{\"items\":", 200) + "true" + repeat("}", 200)).empty());
}

TEST_CASE("a chain of references is as bounded as one of nested schemas") {
    std::string definitions;
    for (int i = 40; i > 0; --i)
        definitions +=
            "\"" + std::to_string(i) + R"(": {"$ref": "#/definitions/)" + std::to_string(i - 1) + "\"},";
    definitions += R"("0": {})";
    auto refers_to = [&](int first) {
        return R"({"items": {"$ref": "#/definitions/)" + std::to_string(first) + R"("}, "definitions": {)" +
               definitions + "}}";
    };
    CHECK_THAT(problems(refers_to(0)), Catch::Contains("too deep to be checked"));
    definitions = definitions.substr(definitions.find("\"14\""));
    CHECK(problems(refers_to(14)).empty());
    CHECK(fits(refers_to(14), "[1]"));
}

TEST_CASE("a draft that is not supported is refused") {
    CHECK(problems(R"({"$schema": "https://json-schema.org/draft/2020-12/schema"})") ==
          "$schema is \"https://json-schema.org/draft/2020-12/schema\"; only draft-04, draft-06 and draft-07 "
          "are "
          "supported (\"http://json-schema.org/draft-07/schema#\")\n");
    CHECK(problems(R"({"$schema": "http://json-schema.org/draft-07/schema"})").empty());
    CHECK(problems(R"({"$schema": "https://json-schema.org/draft-06/schema#"})").empty());
}

TEST_CASE("each draft has its own keywords") {
    const std::string draft4 = R"({"$schema": "http://json-schema.org/draft-04/schema#", )";
    const std::string draft6 = R"({"$schema": "http://json-schema.org/draft-06/schema#", )";
    CHECK(violation(draft4 + R"("minimum": 5, "exclusiveMinimum": true})", "5") == "expected more than 5");
    CHECK(fits(draft4 + R"("minimum": 5, "exclusiveMinimum": false})", "5"));
    CHECK(problems(draft4 + R"("exclusiveMinimum": 5})") ==
          "/exclusiveMinimum must be true or false in draft-04\n");
    CHECK(problems(draft4 + R"("const": 5})") == "the keyword \"const\" is not one of draft-04\n");
    CHECK(problems(draft4 + R"("properties": {"a": true}})") ==
          "a schema must be an object in draft-04, not a boolean at /properties/a\n");
    CHECK(problems(draft4 + R"("id": "x", "additionalProperties": false})").empty());
    CHECK(problems(draft6 + R"("const": 5})").empty());
    CHECK(problems(draft6 + R"("if": {}})") == "the keyword \"if\" is not one of draft-06\n");
    CHECK(problems(R"({"exclusiveMinimum": true})") == "/exclusiveMinimum must be a number\n");
}

TEST_CASE("a keyword that would be ignored is refused") {
    CHECK(problems(R"({"items": {"minContains": 1}})") ==
          "the keyword \"minContains\" at /items cannot be checked: it is not one of draft-04, draft-06 or "
          "draft-07\n");
    for (auto keyword :
         {"unevaluatedProperties", "dependentRequired", "prefixItems", "$dynamicRef", "contentEncoding"}) {
        CHECK_THAT(problems(std::string("{\"") + keyword + "\": {}}"), Catch::Contains("cannot be checked"));
    }
    CHECK(problems(R"({"requird": ["a"], "definitions": {"x": {"tpye": "string"}}})") ==
          "unknown keyword \"requird\"; did you mean \"required\"?\n"
          "unknown keyword \"tpye\" at /definitions/x; did you mean \"type\"?\n");
    CHECK(problems(R"({"format": "email"})") ==
          "/format is \"email\", which is not checked; only \"date\", \"time\" or \"date-time\" are (a "
          "\"pattern\" may "
          "do)\n");
    CHECK(problems(R"({"items": {"$ref": "#/definitions/a", "type": "string"}, "definitions": {"a": {}}})") ==
          "the keyword \"type\" at /items has no effect next to $ref; put the two into an \"allOf\"\n");
}

TEST_CASE("annotations are fine") {
    CHECK(problems(R"({"$id": "http://x/y", "$comment": "c", "title": "t", "description": "d", "default": 1,
                      "examples": [1],
                      "readOnly": true, "writeOnly": false, "deprecated": true, "$defs": {}})")
              .empty());
}

TEST_CASE("a reference that cannot be followed is refused") {
    CHECK_THAT(problems(R"({"items": {"$ref": "http://x/y#/a"}})"),
               Catch::StartsWith("cannot follow $ref \"http://x/y#/a\""));
    CHECK_THAT(problems(R"({"items": {"$ref": "other.json"}})"), Catch::StartsWith("cannot follow $ref"));
    CHECK(problems(R"({"items": {"$ref": "#/definitions/a"}})") ==
          "$ref \"#/definitions/a\" does not point to a schema\n");
    CHECK(problems(R"({"items": {"$ref": "#/definitions"}, "definitions": {}})") ==
          "$ref \"#/definitions\" does not point to a schema\n");
    CHECK(problems(R"({"items": {"$ref": "#anchor"}})") == "$ref \"#anchor\" does not point to a schema\n");
    CHECK_THAT(problems(R"({"items": {"$id": "http://x/y"}})"), Catch::Contains("only stand at the root"));
}

TEST_CASE("a schema that would never end is refused") {
    for (auto schema : {R"({"$ref": "#"})", R"({"allOf": [{"$ref": "#"}]})",
                        R"({"$ref": "#/definitions/a", "definitions": {"a": {"$ref": "#/definitions/b"},
                  "b": {"anyOf": [{"$ref": "#/definitions/a"}]}}})"}) {
        CHECK_THAT(problems(schema), Catch::Contains("it would never end"));
    }
}

TEST_CASE("a keyword's value has its shape") {
    CHECK(problems(R"({"type": "strng"})") ==
          "/type is \"strng\", but must be \"null\", \"boolean\", \"object\", \"array\", \"number\", "
          "\"string\" or "
          "\"integer\"; did you mean \"string\"?\n");
    CHECK(problems(R"({"required": "a"})") == "/required must be an array of strings\n");
    CHECK(problems(R"({"minLength": "5"})") == "/minLength must be a whole number, not negative\n");
    CHECK(problems(R"({"multipleOf": 0})") == "/multipleOf must be a number greater than 0\n");
    CHECK(problems(R"({"properties": []})") == "/properties must be an object\n");
    CHECK(problems(R"({"items": {"enum": []}})") == "/items/enum must not be empty\n");
    CHECK(problems(R"({"additionalProperties": "no"})") ==
          "a schema must be an object or a boolean at /additionalProperties\n");
    CHECK(problems(R"({"allOf": [5]})") == "a schema must be an object or a boolean at /allOf/0\n");
    CHECK_THAT(problems(R"({"pattern": "("})"), Catch::StartsWith("/pattern is no valid regular expression"));
    CHECK_THAT(problems(R"({"patternProperties": {"(": {}}})"),
               Catch::StartsWith("/patternProperties has \"(\""));
    CHECK(problems(R"({"type": "string", "type": "null"})") == "\"type\" stands twice\n");
    CHECK(problems("[]") == "a schema must be an object or a boolean\n");
}

TEST_CASE("the text of a schema is kept as it was written, without comments") {
    CHECK(compiled("{ // c\n \"minimum\": 1.0, \"default\": 1e400, }")->text() ==
          R"({"minimum":1.0,"default":1e400})");
}

namespace {

// The pointer into the schema.
std::string broken(std::string_view schema, std::string_view value) {
    auto found = compiled(schema)->violation(view(value));
    REQUIRE(found);
    return found->schema_pointer;
}

}  // namespace

TEST_CASE("a violation names the keyword that is not satisfied") {
    CHECK(broken(R"({"type": "string"})", "1") == "/type");
    CHECK(broken(R"({"properties": {"a/b": {"items": {"minimum": 3}}}})", R"({"a/b": [4, 1]})") ==
          "/properties/a~1b/items/minimum");
    CHECK(broken(R"({"required": ["a"]})", "{}") == "/required");
    CHECK(broken(R"({"items": {"maxProperties": 1}})", R"([{"a": 1, "b": 2}])") == "/items/maxProperties");
    CHECK(broken(R"({"$ref": "#/definitions/n", "definitions": {"n": {"type": "null"}}})", "1") ==
          "/definitions/n/type");
    CHECK(broken(R"({"allOf": [{}, {"enum": [1]}]})", "2") == "/allOf/1/enum");
}

TEST_CASE("a member that is one too many is traced to its schema where only one can be meant") {
    CHECK(broken(R"({"properties": {"a": {"additionalProperties": false}}})", R"({"a": {"b": 1}})") ==
          "/properties/a/additionalProperties");
    CHECK(broken(R"({"allOf": [{"properties": {}, "additionalProperties": false}],
                    "additionalProperties": {}})",
                 R"({"b": 1})")
              .empty());
}

TEST_CASE("a violation is one line with both pointers") {
    auto found = compiled(R"({"properties": {"a": {"type": "string"}}})")->violation(view("{\"a\": 1}"));
    REQUIRE(found);
    CHECK(found->path == std::vector<std::string>{"a"});
    CHECK(config::to_string(*found) ==
          "at /a: expected string, found an integer (schema: /properties/a/type)");
}

TEST_CASE("a violation is one line whatever names are in it") {
    auto found = compiled(R"({"properties": {"a\n\u0001": {"type": "string"}}})")
                     ->violation(view(R"({"a\n\u0001": 1})"));
    REQUIRE(found);
    CHECK(config::to_string(*found) ==
          R"(at /a\n\u0001: expected string, found an integer (schema: /properties/a\n\u0001/type))");
}
