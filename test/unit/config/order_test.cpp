// The options that say when the tasks of a step may start, and the variables of its scripts.
#include "config/description.hpp"
#include "config/serial_key.hpp"
#include "config/warnings.hpp"
#include "load_helper.hpp"

using namespace config_test;

namespace {

std::string with_step(const std::string& members, const std::string& top = "") {
    return "{" + top + "\"steps\": [{\"name\": \"A\", " + members + ", " + command + "}]}";
}

std::string with_options(const std::string& options) {
    return with_step("\"options\": {" + options + "}");
}

std::optional<base::Fingerprint> key(const std::string& pointer, std::string_view value) {
    auto config = good(with_options("\"serial_key\": " + json::quote(pointer)));
    return config::serial_key(config.steps[0].options, value);
}

}  // namespace

TEST_CASE("a step has no limit, priority, key or variables of its own unless it says so") {
    auto config = good(with_step("\"next\": []", "\"options\": {\"max_concurrency\": 3}, "));
    CHECK_FALSE(config.steps[0].options.max_concurrency);
    CHECK(config.steps[0].options.priority == 0);
    CHECK_FALSE(config.steps[0].options.serial_key);
    CHECK(config.steps[0].env.empty());
}

TEST_CASE("a step's limit, priority and key are read") {
    auto options = good(with_options(R"("max_concurrency": 2, "priority": -7, "serial_key": "/a~1b/0")"))
                       .steps[0]
                       .options;
    CHECK(options.max_concurrency == 2u);
    CHECK(options.priority == -7);
    REQUIRE(options.serial_key);
    CHECK(options.serial_key->pointer == "/a~1b/0");
    CHECK(options.serial_key->tokens == std::vector<std::string>{"a/b", "0"});
}

TEST_CASE("mistakes in a step's limit, priority and key are named") {
    CHECK(problems(load(with_options("\"max_concurrency\": 0"))) ==
          "w.jsonc:1:57: error: \"max_concurrency\" must be a whole number from 1 to 4294967295, not 0\n");
    CHECK(problems(load(with_options("\"priority\": 1.5"))) ==
          "w.jsonc:1:50: error: \"priority\" must be a whole number from -1000000 to 1000000, not 1.5\n");
    CHECK(
        problems(load(with_options("\"priority\": -1000001"))) ==
        "w.jsonc:1:50: error: \"priority\" must be a whole number from -1000000 to 1000000, not -1000001\n");
    for (const char* pointer : {"file", "/a~2", "/a~", "#/a", " /a"})
        CHECK(problems(load(with_options("\"serial_key\": \"" + std::string(pointer) + "\""))) ==
              "w.jsonc:1:52: error: \"serial_key\" must be a JSON pointer such as \"/file\" (every name "
              "after a /, "
              "with ~ as ~0 and / as ~1), not \"" +
                  std::string(pointer) + "\"\n");
    CHECK(problems(load(with_options("\"serial_key\": 1"))) ==
          "w.jsonc:1:52: error: \"serial_key\" must be a string, not a number\n");
}

TEST_CASE("an option of a step at the top is a mistake that says where it belongs") {
    CHECK(problems(load(with_step("\"next\": []", "\"options\": {\"priority\": 1}, "))) ==
          "w.jsonc:1:14: error: \"priority\" is an option of a step: move it to the options of one\n");
}

TEST_CASE("a serial key is the JSON value at the pointer") {
    CHECK(key("/file", R"({"file":"a"})") == key("/0", R"(["\u0061"])"));
    CHECK(key("", R"({"a":1,"b":2})") == key("/x", R"({"x": {"b": 2, "a": 1}})"));
    CHECK(key("/file", R"({"file":"a"})") != key("/file", R"({"file":"b"})"));
    CHECK(key("/n", R"({"n":1})") != key("/n", R"({"n":"1"})"));
    CHECK(key("/file", R"({"file":null})") == key("", "null"));
    CHECK(key("/%61", R"({"%61":1})").has_value());
}

TEST_CASE("a value that has nothing at the pointer has no key") {
    for (const char* value : {"{}", "[]", "1", "null", "\"file\"", R"({"File":1})"})
        CHECK_FALSE(key("/file", value));
    for (const char* pointer : {"/1", "/00", "/-", "/-0", "/", "/0/a"})
        CHECK_FALSE(key(pointer, "[7]"));
    CHECK_FALSE(config::serial_key({}, "1"));
}

TEST_CASE("a step's variables are its own and those of the workflow, which its own override") {
    auto config = good(with_step(R"("env": {"A": "own", "C": ""})", R"("env": {"A": "top", "B": "x=y"}, )"));
    CHECK(config.steps[0].env == std::map<std::string, std::string>{{"A", "own"}, {"B", "x=y"}, {"C", ""}});
}

TEST_CASE("variables that no command can be given, and Barnum's own, are refused") {
    auto wrong = [](const std::string& env) {
        std::string of_step = problems(load(with_step("\"env\": " + env)));
        std::string of_all = problems(load(with_step("\"next\": []", "\"env\": " + env + ", ")));
        auto message = [](const std::string& text) { return text.substr(text.find("error: ") + 7); };
        CHECK(message(of_step) == message(of_all));
        return message(of_step);
    };
    constexpr auto no_name = "the name of a variable must not be empty, nor have a '='\n";
    CHECK(wrong(R"({"": "x"})") == no_name);
    CHECK(wrong(R"({"A=B": "x"})") == no_name);
    CHECK(wrong(R"({"A\u0000": "x"})") == "the name of a variable has a NUL character\n");
    CHECK(wrong(R"({"A": "x\u0000"})") == "a variable has a NUL character\n");
    CHECK(wrong(R"({"A": 1})") == "a variable must be a string, not a number\n");
    CHECK(wrong(R"({"A": "1", "A": "2"})") == "\"A\" occurs twice in \"env\"\n");
    CHECK(wrong(R"({"BARNUM_STEP": "x"})") ==
          "the variables BARNUM_… are Barnum's own; give \"BARNUM_STEP\" another name\n");
    CHECK(wrong("[]") == "\"env\" must be an object, not an array\n");
    CHECK(wrong("{\"A\": \"" + std::string(128 * 1024, 'x') + "\"}") ==
          "a variable is longer than the 128 KiB that a command can be given; put it into a file\n");
}

TEST_CASE("the document tells a step's place in the order, and the names of its variables") {
    std::string text = config::describe(
        good(with_step(R"("env": {"MY_SECRET": "hidden"}, "options": {"max_concurrency": 2, "priority": -7,
                          "serial_key": "/file_name"})")),
        "Flow");
    CHECK_THAT(text,
               Catch::Contains("- At the same time: at most 2\n- Priority: -7\n- Serial key: /file\\_name\n"
                               "- Environment: MY\\_SECRET\n"));
    CHECK_THAT(text, !Catch::Contains("hidden"));
    CHECK_THAT(config::describe(good(with_options("\"serial_key\": \"\"")), "Flow"),
               Catch::Contains("- Serial key: the whole value\n"));
}

TEST_CASE("variables of a step that runs no script are warned of") {
    auto warned = [](const std::string& members) {
        std::string text = R"({"steps": [{"name": "A", "env": {"A": "1"}, "options": {"timeout": 1}, )" +
                           members + R"("action": {"kind": "Pool", "instructions": "Do it."}}]})";
        std::string all;
        for (const auto& problem : config::warnings(good(text), text, "w.jsonc").shown)
            all += config::to_string(problem) + "\n";
        return all;
    };
    CHECK_THAT(warned(""), Catch::Contains("the Pool step \"A\" has no hooks, so its \"env\" has no effect"));
    CHECK(warned(R"("post": {"kind": "Command", "script": "cat"}, )").empty());
}
