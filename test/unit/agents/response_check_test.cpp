#include "agents/response_check.hpp"

#include <catch2/catch.hpp>

#include <string>

namespace {

using agents::ResponseCheck;

const std::string schema =
    R"({"type":"array","definitions":{"text":{"type":"string","minLength":1}},"items":{"anyOf":[)"
    R"({"type":"object","required":["kind","value"],"additionalProperties":false,)"
    R"("properties":{"kind":{"const":"Note"},"value":{"$ref":"#/definitions/text"}}},)"
    R"({"type":"object","required":["kind","value"],"additionalProperties":false,)"
    R"("properties":{"kind":{"const":"Count"},"value":{"type":"integer"}}}]}})";

std::string mistakes(std::string_view response) {
    return ResponseCheck(schema).mistakes(response);
}

}  // namespace

TEST_CASE("a response that matches the schema has no mistakes") {
    CHECK(mistakes("[]") == "");
    CHECK(mistakes(R"([{"kind":"Note","value":"a"},{"value":3,"kind":"Count"}])") == "");
}

TEST_CASE("each mistake has a line that says where and what") {
    CHECK(mistakes(R"([{"kind":"Count","value":"a"},{"kind":"Note","value":"a"},{"kind":"Nota","value":1},)"
                   R"({"kind":"Note"},7,{"kind":"Note","value":"a","why":1}])") ==
          "Element 1: its value does not match the schema of \"Count\": expected integer, found a string "
          "(schema: /items/anyOf/1/properties/value/type)\n"
          "Element 3: the kind \"Nota\" may not follow; expected \"Count\" or \"Note\"\n"
          "Element 4: \"value\" is missing\n"
          "Element 5: it must be an object with \"kind\" and \"value\"\n"
          "Element 6: unknown member \"why\"; a task has \"kind\" and \"value\"");
}

TEST_CASE("a reference in the schema of a value is followed") {
    CHECK(mistakes(R"([{"kind":"Note","value":""}])").find("Element 1: its value does not match") == 0);
}

TEST_CASE("at most 20 mistakes are listed") {
    std::string many = "[0";
    for (int i = 0; i < 100; ++i)
        many += ",0";
    std::string text = mistakes(many + "]");
    CHECK(std::count(text.begin(), text.end(), '\n') == 19);
}

TEST_CASE("what is no array of tasks") {
    CHECK(mistakes("{}") == "It must be a JSON array of tasks.");
    CHECK(
        mistakes("Here it is: []").find("It must be a JSON array of tasks and nothing else. the answer: ") ==
        0);
}

TEST_CASE("the schema of a terminal step allows an empty array only") {
    ResponseCheck terminal(R"({"type":"array","maxItems":0})");
    CHECK(terminal.mistakes("[]") == "");
    CHECK(terminal.mistakes(R"([{"kind":"Note","value":1}])") != "");
}

TEST_CASE("a schema of another form is checked as a whole") {
    ResponseCheck check(R"({"type":"array","items":{"type":"integer"}})");
    CHECK(check.mistakes("[1,2]") == "");
    CHECK(check.mistakes("[1,\"a\"]").find("at /1: expected integer") == 0);
}

TEST_CASE("without a usable schema everything is valid") {
    for (const char* unusable : {"", "{", "[]", R"({"type":"nonsense"})"})
        CHECK(ResponseCheck(unusable).mistakes("words") == "");
}

TEST_CASE("a schema may want something else than an array") {
    ResponseCheck check(R"({"type":"object","required":["a"]})");
    CHECK(check.mistakes(R"({"a":1})") == "");
    CHECK(check.mistakes("[]").find("object") != std::string::npos);
    CHECK(check.mistakes("{}").find("a") != std::string::npos);
}
