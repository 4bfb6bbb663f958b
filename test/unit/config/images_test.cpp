// The places of images in the values of a Pool step.
#include "load_helper.hpp"

namespace {

using namespace config_test;

std::string with_images(const std::string& images) {
    return R"({"steps": [{"name": "A", "action": {"kind": "Pool", "images": )" + images + "}}]}";
}

const std::vector<config::ValuePlace>& places(const config::WorkflowConfig& config) {
    return std::get<config::PoolAction>(config.steps[0].action).images;
}

// The parser and the schema for editors agree that it is wrong.
std::string problem_of_images(const std::string& images) {
    CHECK_FALSE(violation_of_schema_document(with_images(images)).empty());
    return problems(load(with_images(images)));
}

}  // namespace

TEST_CASE("a Pool action may say where the paths of images are") {
    auto config = good(with_images(R"(["/a~1b/0", ""])"));
    REQUIRE(places(config).size() == 2);
    CHECK(places(config)[0].pointer == "/a~1b/0");
    CHECK(places(config)[0].tokens == std::vector<std::string>{"a/b", "0"});
    CHECK(places(config)[1].tokens.empty());
    auto again = config::load_text(config.resolved, "w", "/nowhere");
    CHECK(places(*again.config)[0].tokens == places(config)[0].tokens);
    CHECK(places(good(with_images("[]"))).empty());
}

TEST_CASE("places of images that are none are problems of the config") {
    for (const char* pointer : {R"("picture")", R"("/a~")", R"("$.a")"})
        CHECK(has(problem_of_images("[" + std::string(pointer) + "]"),
                  R"(an element of "images" must be a JSON pointer such as "/file" (every name after a /, )"
                  R"(with ~ as ~0 and / as ~1), not )" +
                      std::string(pointer)));
    CHECK(has(problem_of_images("[7]"), R"("images" must have strings, not a number)"));
    CHECK(has(problem_of_images(R"("/picture")"), R"("images" must be an array, not a string)"));
    auto command =
        R"({"steps": [{"name": "A", "action": {"kind": "Command", "script": "x", "images": []}}]})";
    CHECK(has(problems(load(command)), R"(unknown field "images")"));
}

TEST_CASE("places of images that the schema of the step excludes are problems of the config") {
    const std::string step =
        R"({"steps": [{"name": "A", "value_schema": {"properties": {"n": {"type": "integer"}}}, )";
    const std::string action = R"("action": {"kind": "Pool", "images": ["/p", "/n"]}}]})";
    CHECK(has(problems(load(step + action)),
              R"("images" has "/n", where no value that fits the schema of "A" has the path of a file or an )"
              R"(array of paths (schema: /properties/n/type))"));
    CHECK(problems(load(step + R"("pre": {"kind": "Command", "script": "x"}, )" + action)).empty());
    CHECK(problems(config::load_text(step + action, "w", "/nowhere", config::Use::has_begun)).empty());
}

TEST_CASE("a place of images is named once") {
    CHECK(has(problems(load(with_images(R"(["/a", "/b", "/a"])"))), R"("/a" occurs twice in "images")"));
}
