#include "launch/parameters.hpp"

#include "json/json.hpp"
#include "json_schema/schema.hpp"

#include <catch2/catch.hpp>

namespace {

using namespace launch;

Parameters parsed(const std::vector<std::string>& texts) {
    auto parameters = parse_parameters(texts);
    INFO((parameters ? "" : parameters.error().message));
    REQUIRE(parameters.has_value());
    return *parameters;
}

std::string mistake(const std::vector<std::string>& texts) {
    auto parameters = parse_parameters(texts);
    REQUIRE(parameters.has_error());
    return parameters.error().message;
}

config::Step step_with(const std::string& schema) {
    config::Step step;
    step.name = "Look";
    step.value_schema = json_schema::Schema::compile(json::View::of(schema)).value();
    return step;
}

std::string misfit(const std::vector<std::string>& texts, const std::string& schema) {
    auto checked = check_parameters(parsed(texts), step_with(schema));
    return checked ? "" : checked.error().message;
}

bool contains(const std::string& text, const std::string& part) {
    INFO(text);
    CHECK(text.find(part) != std::string::npos);
    return text.find(part) != std::string::npos;
}

const std::string closed = R"({"type":"object","additionalProperties":false,"required":["directory"],
    "properties":{"directory":{"type":"string"},"count":{"type":"integer"}}})";
const std::string open = R"({"properties":{"directory":{},"count":{}}})";

}  // namespace

TEST_CASE("parameters are the members of an object, in their order") {
    CHECK(parsed({"b=text", "a:=1"}).value == R"({"b":"text","a":1})");
    CHECK(parsed({R"(quoted=say "hi")", "empty=", "sum=1+1=2"}).value ==
          R"({"quoted":"say \"hi\"","empty":"","sum":"1+1=2"})");
    CHECK(parsed({R"(list:=[1, /* two */ 2.0,])", "null:=null"}).value == R"({"list":[1,2.0],"null":null})");
    CHECK(parsed({"a:b=c", "url=x:=y", "a b=1"}).value == R"({"a:b":"c","url":"x:=y","a b":"1"})");
    CHECK(parsed({"a=1", "b:=1"}).as_text == std::set<std::string>{"a"});
}

TEST_CASE("what is no parameter is refused") {
    for (const char* text : {"", "name", "=x", ":=1", ":"})
        CHECK(mistake({text}) ==
              "-p must be name=text or name:=json (for example directory=src or count:=3), not '" +
                  std::string(text) + "'");
    contains(mistake({"a:=[1"}), "-p a:=: line 1, column 3: ");
    contains(mistake({"a:="}), "-p a:=");
    contains(mistake({"a=\xff"}), "-p a: the text is not UTF-8");
    CHECK(mistake({"a=1", "b=2", "a:=3"}) == "-p gives \"a\" more than once");
}

TEST_CASE("parameters are checked against the schema of the first step") {
    CHECK(misfit({"directory=src", "count:=3"}, closed).empty());
    contains(misfit({"directory=src", "count=3"}, closed), "at /count: ");
    contains(misfit({"directory=src", "count=3"}, closed),
             "; -p count=… is always a string: write -p count:=… for");
    CHECK(misfit({"directory=src", "count:=1.5"}, closed).find("always a string") == std::string::npos);
    contains(misfit({"count:=3"}, closed), "\"directory\"");
}

TEST_CASE("for a name that the schema does not know, a similar one is suggested") {
    contains(misfit({"directroy=src"}, closed), "\n  -p directroy; did you mean \"directory\"?");
    CHECK(misfit({"directory=src", "zzzzzz=1"}, closed).find("did you mean") == std::string::npos);
    CHECK(misfit({"directroy=src"}, open).empty());
    CHECK(doubtful_names(parsed({"directroy=src", "zzzzzz=1", "count:=1"}), step_with(open)) ==
          std::vector<std::string>{
              "-p directroy: the schema of \"Look\" does not describe this member; did you mean "
              "\"directory\"?"});
    CHECK(doubtful_names(parsed({"directroy=src"}), config::Step()).empty());
    CHECK(doubtful_names(parsed({"directroy=src"}), step_with("true")).empty());
}
