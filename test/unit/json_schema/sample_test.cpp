#include "json_schema/sample.hpp"

#include "base/text.hpp"
#include "random.hpp"

#include <catch2/catch.hpp>

#include <random>
#include <set>
#include <string>

namespace {

using json_schema::Schema;

std::shared_ptr<const Schema> sampled_schema(const std::string& text) {
    REQUIRE_FALSE(json::check(text).has_value());
    auto schema = Schema::compile(json::View::of(text));
    INFO(text << (schema.has_error() ? schema.error().message : ""));
    REQUIRE(schema.has_value());
    return *schema;
}

// The sample, which the validator has accepted; "" if there is none.
std::string sample(const std::string& text, std::size_t variation = 0) {
    INFO(text);
    auto schema = sampled_schema(text);
    auto value = json_schema::sample_value(*schema, variation);
    if (!value) return "";
    INFO(*value);
    REQUIRE_FALSE(json::check(*value).has_value());
    CHECK_FALSE(schema->violation(json::View::of(*value)).has_value());
    return *value;
}

std::string failure(const std::string& text) {
    auto value = json_schema::sample_value(*sampled_schema(text));
    INFO(text << (value ? ": " + *value : ""));
    REQUIRE(value.has_error());
    return value.error().message;
}

// Schemas that some value satisfies, out of a grammar: at random, but the same for the same seed.
class Grammar {
  public:
    explicit Grammar(unsigned seed) : random_(seed) {}

    std::string schema(int depth) {
        switch (depth > 0 ? draw(11) : draw(6)) {
            case 0:
                return one_of({"{}", "true", R"({"type":"boolean"})", R"({"type":["null","string"]})"});
            case 1:
                return number("integer");
            case 2:
                return number("number");
            case 3:
                return string();
            case 4:
                return one_of({R"({"enum":["a",2,null]})", R"({"const":{"k":[1.0]}})",
                               R"({"type":"string","format":"date-time"})", R"({"enum":[[],{}]})",
                               R"({"type":"string","format":"uuid"})",
                               R"({"$ref":"http://json-schema.org/draft-07/schema#","minProperties":1})"});
            case 5:
                return base::concat(R"({"type":"string","pattern":")",
                                    one_of({"^[A-Z][a-z]+-\\\\d{2,4}$", "^(a|bc)*d?$",
                                            "\\\\w+@\\\\w+\\\\.org", "^[^x-z]{3}$", "é+", "^.+/.+$"}),
                                    R"("})");
            case 6:
                return array(depth);
            case 7:
                return object(depth, "");
            case 8:
                return tagged(depth);
            case 9:
                return base::concat(R"({"allOf":[)", object(depth, "a"), ",", object(depth, "b"), "]}");
            default:
                return base::concat(R"({"not":)", one_of({R"({"type":"object"})", R"({"const":"text"})"}),
                                    "}");
        }
    }

  private:
    unsigned draw(unsigned count) { return static_cast<unsigned>(random_() % count); }
    std::string one_of(std::vector<std::string> texts) { return texts[draw(unsigned(texts.size()))]; }

    std::string number(const std::string& type) {
        int from = static_cast<int>(draw(40)) - 20;
        int to = from + 12 + static_cast<int>(draw(20));
        std::string exclusive = one_of({"m", "exclusiveM"});
        return base::concat(R"({"type":")", type, "\",\"", exclusive, "inimum\":", from, ",\"", exclusive,
                            "aximum\":", to, one_of({"", R"(,"multipleOf":5)", R"(,"multipleOf":2.5)"}), "}");
    }

    std::string string() {
        unsigned least = draw(12);
        return base::concat(R"({"type":"string","minLength":)", least, R"(,"maxLength":)", least + draw(3),
                            "}");
    }

    std::string array(int depth) {
        if (draw(3) == 0)
            return base::concat(R"({"type":"array","uniqueItems":true,"minItems":)", 1 + draw(4),
                                R"(,"items":)",
                                one_of({R"({"type":"integer","minimum":3})", string_of_two(),
                                        R"({"type":["object","integer","string"]})"}),
                                "}");
        if (draw(3) == 0) return tuple(depth);
        if (draw(3) == 0) return base::concat(R"({"type":"array","contains":)", schema(depth - 1), "}");
        unsigned least = draw(4);
        return base::concat(R"({"type":"array","items":)", schema(depth - 1), R"(,"minItems":)", least,
                            R"(,"maxItems":)", least + draw(2), "}");
    }

    std::string tuple(int depth) {
        bool is_of_2020 = draw(2) == 0;
        return base::concat(R"({"type":"array",")", is_of_2020 ? "prefixItems" : "items", "\":[",
                            schema(depth - 1), ",", schema(depth - 1), R"(],"minItems":)", draw(4), ",\"",
                            is_of_2020 ? "items" : "additionalItems", "\":", schema(depth - 1), "}");
    }

    static std::string string_of_two() { return R"({"type":"string","minLength":2,"maxLength":2})"; }

    std::string object(int depth, const std::string& prefix) {
        std::string a = prefix + "a", b = prefix + "b";
        std::string text = base::concat(
            R"({"type":"object","properties":{")", a, "\":", schema(depth - 1), ",\"", b,
            "\":", schema(depth - 1), "}",
            one_of({"", ",\"required\":[\"" + a + "\"]", ",\"required\":[\"" + b + "\",\"" + a + "\"]"}));
        if (prefix.empty())
            text += one_of({"", R"(,"additionalProperties":false)", R"(,"minProperties":1)",
                            R"(,"minProperties":4,"additionalProperties":)" + schema(depth - 1),
                            R"(,"dependencies":{"a":["b"],"b":{"required":["c"]}})"});
        return text + "}";
    }

    // Alternatives of which no two fit the same value.
    std::string tagged(int depth) {
        std::string text = "{\"" + one_of({"oneOf", "anyOf"}) + "\":[";
        for (int tag = 0; tag < 3; ++tag)
            text +=
                base::concat(tag > 0 ? "," : "", R"({"type":"object","required":["tag","of"],"properties":{)",
                             R"("tag":{"const":)", tag, R"(},"of":)", schema(depth - 1), "}}");
        return text + "]}";
    }

    std::minstd_rand random_;
};

}  // namespace

TEST_CASE("the plainest value of each type is made up") {
    CHECK(sample("{}") == "{}");
    CHECK(sample("true") == "{}");
    CHECK(sample(R"({"type":"string"})") == R"("text")");
    CHECK(sample(R"({"type":"integer"})") == "0");
    CHECK(sample(R"({"type":"null"})") == "null");
    CHECK(sample(R"({"type":"boolean"})") == "true");
    CHECK(sample(R"({"type":"array","items":{"type":"string"}})") == "[]");
    CHECK(sample(R"({"minLength":6})") == R"("textxx")");
    CHECK(sample(R"({"required":["file"],"properties":{"file":{"type":"string"},"line":{}}})") ==
          R"({"file":"text"})");
}

TEST_CASE("what the author gives as an example comes first, if it fits") {
    CHECK(sample(R"({"type":"string","examples":["src/main.c"]})") == R"("src/main.c")");
    CHECK(sample(R"({"type":"string","default":"x"})") == R"("x")");
    CHECK(sample(R"({"type":"integer","examples":["no"]})") == "1");
    CHECK(sample(R"({"enum":[1.50,2]})") == "1.50");
    CHECK(sample(R"({"enum":[1,"a"],"type":"string"})") == R"("a")");
}

TEST_CASE("numbers keep to limits and multiples") {
    CHECK(sample(R"({"type":"integer","exclusiveMinimum":3,"multipleOf":2.5})") == "5");
    CHECK(sample(R"({"type":"number","exclusiveMinimum":0,"exclusiveMaximum":1})") == "0.5");
    CHECK(sample(R"({"type":"integer","maximum":-3,"multipleOf":2})") == "-4");
    CHECK(sample(R"({"type":"integer","minimum":9007199254740993})") == "9007199254740993");
    CHECK(sample(R"({"multipleOf":0.1,"minimum":0.25})") == "0.3");
    CHECK(sample(R"({"$schema":"http://json-schema.org/draft-04/schema#","type":"integer","minimum":1,
                     "exclusiveMinimum":true})") == "2");
}

TEST_CASE("a text is made up for a pattern") {
    CHECK(sample(R"({"type":"string","pattern":"^[a-f0-9]{8}$"})") == R"("aaaaaaaa")");
    CHECK(sample(R"({"type":"string","pattern":"^v\\d+\\.\\d+$"})") == R"("v0.0")");
    CHECK(sample(R"({"type":"string","pattern":"^(?:ab|c)+?$","minLength":7})").size() >= 9);
    CHECK(sample(R"({"type":"string","pattern":"^[^\\s\\]-]+$"})") == R"("a")");
    CHECK(sample(R"({"type":"string","pattern":"^\\u00e9{2}$"})") == "\"éé\"");
    CHECK(sample(R"({"type":"string","pattern":"[.]sh$"})") == R"(".sh")");
}

TEST_CASE("a text is made up for each format, and for a pattern beside it") {
    for (auto format : {"date", "time", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "uri",
                        "uri-reference", "uuid", "json-pointer", "regex"}) {
        std::string schema = base::concat(R"({"type":"string","format":")", format, "\"}");
        std::set<std::string> values;
        for (std::size_t variation = 0; variation < 20; ++variation)
            values.insert(sample(schema, variation));
        CHECK(values.size() == 20);
        CHECK_FALSE(values.contains(""));
    }
    CHECK(sample(R"({"type":"string","format":"phone"})") == R"("text")");
    CHECK(sample(R"({"type":"string","format":"hostname","pattern":"^[a-z]+$"})") != "");
}

TEST_CASE("words of later drafts are known") {
    CHECK(sample(R"({"type":"array","minItems":3,"prefixItems":[{"const":1},{"const":"a"}],
                     "items":{"type":"null"}})") == R"([1,"a",null])");
    CHECK(sample(R"({"required":["a"],"dependentRequired":{"a":["b"]},
                     "dependentSchemas":{"b":{"required":["c"]}}})") == R"({"a":{},"b":{},"c":{}})");
    CHECK(sample(R"({"$ref":"#n","minimum":7,"$defs":{"n":{"$anchor":"n","type":"integer"}}})") == "7");
    CHECK(sample(R"({"$ref":"#/$defs/t","enum":["a word",1],"$defs":{"t":{"type":"string"}}})") ==
          R"("a word")");
    CHECK(sample(R"({"minLength":6.0})") == R"("textxx")");
    CHECK(sample(R"({"type":"object","required":["s"],"properties":
                     {"s":{"$ref":"https://json-schema.org/draft/2020-12/schema"}}})") == R"({"s":{}})");
}

TEST_CASE("alternatives are tried until one fits and no other") {
    CHECK(sample(R"({"oneOf":[{"type":"integer"},{"type":"number","minimum":5}],"minimum":5})") != "");
    CHECK(sample(R"({"oneOf":[{"const":1},{"type":"integer","minimum":1}]})") == "2");
    CHECK(sample(R"({"anyOf":[{"type":"string","maxLength":3},{"type":"object"}],"minLength":4})") == "{}");
    CHECK(sample(R"({"type":"string","not":{"enum":["text","text1"]}})") == R"("text2")");
    CHECK(sample(R"({"type":"object","required":["k"],"if":{"properties":{"k":{"const":"a"}}},
                     "then":{"required":["n"]},"else":false})") == R"({"k":"a","n":{}})");
}

TEST_CASE("members depend on members, and are made up where there must be more of them") {
    CHECK(sample(R"({"required":["a"],"dependencies":{"a":["b"],"b":{"required":["c"]}}})") ==
          R"({"a":{},"b":{},"c":{}})");
    CHECK(sample(R"({"type":"object","minProperties":2,"propertyNames":{"pattern":"^x\\d$"},
                     "additionalProperties":{"type":"null"}})") != "");
    CHECK(sample(R"({"type":"object","minProperties":1,"patternProperties":{"^p_[a-z]+$":{"type":"null"}},
                     "additionalProperties":false})") == R"({"p_a":null})");
}

TEST_CASE("a schema that leads back to itself has a value that ends") {
    CHECK(sample(R"({"type":"object","properties":{"next":{"$ref":"#"}}})") == "{}");
    std::string tree = sample(R"({"definitions":{"tree":{"type":"object","required":["left"],"properties":
        {"left":{"anyOf":[{"$ref":"#/definitions/tree"},{"type":"null"}]}}}},"$ref":"#/definitions/tree"})");
    CHECK(tree != "");
    CHECK(tree.size() < 100);
}

TEST_CASE("no item occurs twice where none may") {
    CHECK(sample(R"({"type":"array","uniqueItems":true,"minItems":3,"items":{"type":"string"}})") ==
          R"(["text","text1","text2"])");
    CHECK(sample(R"({"type":"array","uniqueItems":true,"minItems":3,"items":{"enum":["a","b","c"]}})") ==
          R"(["a","b","c"])");
}

TEST_CASE("a schema without a value is said to have none, with its place") {
    CHECK_THAT(failure(R"({"type":"object","required":["a"],"properties":{"a":false}})"),
               Catch::Contains("the schema at /properties/a: no value is allowed there"));
    CHECK_THAT(
        failure(R"({"type":"array","minItems":1,"items":{"type":"string","minLength":3,"maxLength":2}})"),
        Catch::Contains("the schema at /items: ") && Catch::Contains(" characters, found "));
    CHECK_THAT(failure(R"({"type":"string","pattern":"^(?=a)b"})"), Catch::Contains("too complex"));
    CHECK_THAT(failure(R"({"type":"object","required":["n"],"properties":{"n":{"$ref":"#"}}})"),
               Catch::Contains("endlessly nested"));
    CHECK_THAT(failure(R"({"allOf":[{"type":"string"},{"type":"null"}]})"),
               Catch::Contains("no common type"));
    CHECK_THAT(failure(R"({"type":"array","uniqueItems":true,"minItems":4,"items":{"enum":["a","b","c"]}})"),
               Catch::Contains("unique items"));
}

TEST_CASE("the same variation is the same value, and others are others") {
    std::set<std::string> values;
    for (std::size_t variation = 0; variation < 20; ++variation) {
        std::string schema = R"({"type":"object","required":["n"],"properties":{"n":{"type":"integer"}}})";
        CHECK(sample(schema, variation) == sample(schema, variation));
        values.insert(sample(schema, variation));
    }
    CHECK(values.size() >= 10);
}

TEST_CASE("random schemas get a value that satisfies them") {
    for (unsigned seed = 1; seed <= workflow_test::scaled(3000, 500); ++seed) {
        std::string schema = Grammar(seed).schema(3);
        INFO("seed " << seed << ": " << schema);
        REQUIRE(sample(schema) != "");
    }
}
