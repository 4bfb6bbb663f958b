#include "mcp/arguments.hpp"

#include "mcp/excerpt.hpp"

#include <catch2/catch.hpp>

#include <array>

using mcp::Arguments;

TEST_CASE("arguments that are right, or missing, or unknown") {
    Arguments arguments(
        R"({"id":"x","n":7,"l":["a"],"v":{ "a" : 1 },"t":"[1, 2]","s":"no json","z":null,"other":1})");
    CHECK(arguments.required_text("id") == "x");
    CHECK(arguments.integer("n", 0, 10, 3) == 7);
    CHECK(arguments.integer("m", 0, 10, 3) == 3);
    CHECK(arguments.integer("z", 0, 10, 3) == 3);
    CHECK(arguments.texts("l") == std::vector<std::string>{"a"});
    CHECK(arguments.texts("k").empty());
    CHECK(arguments.json("v") == R"({"a":1})");
    CHECK(arguments.json("t") == R"("[1, 2]")");
    CHECK(arguments.inner_json("t") == "[1,2]");
    CHECK(arguments.inner_json("v") == R"({"a":1})");
    CHECK(arguments.inner_json("s") == R"("no json")");
    CHECK(arguments.json("z") == "null");
    CHECK(arguments.json("y").empty());
    CHECK(arguments.mistakes().empty());
}

TEST_CASE("all mistakes of the arguments are told at once") {
    Arguments arguments(R"({"a":1,"b":"","n":-1,"m":1.5,"l":["a",1],"k":"a"})");
    arguments.required_text("a");
    arguments.required_text("b");
    arguments.required_text("c");
    arguments.integer("n", 0, 10, 3);
    arguments.integer("m", 0, 10, 3);
    arguments.texts("l");
    arguments.texts("k");
    CHECK(arguments.mistakes() ==
          "`a` must be a string.\n`b` is required.\n`c` is required.\n"
          "`n` must be a whole number from 0 to 10, and is -1.\n"
          "`m` must be a whole number from 0 to 10, and is 1.5.\n"
          "`l` must be an array of strings.\n`k` must be an array of strings.");
}

TEST_CASE("a whole number may be written with a fraction of zero, and is never a string") {
    Arguments arguments(R"({"n":5.0,"m":-3e1,"l":[1.0,2],"s":"4","b":1e300})");
    CHECK(arguments.integer("n", 0, 10, 3) == 5);
    CHECK(arguments.integer("m", -100, 10, 3) == -30);
    CHECK(arguments.integers("l") == std::vector<std::int64_t>{1, 2});
    arguments.integer("s", 0, mcp::no_limit, 3);
    arguments.integer("b", 0, mcp::no_limit, 3);
    CHECK(arguments.mistakes() ==
          "`s` must be a whole number, 0 or more, and is \"4\".\n`b` must be a whole number, 0 or more, and "
          "is 1e300.");
}

TEST_CASE("arguments that are true or false, and lists of numbers") {
    Arguments arguments(
        R"({"t":true,"f":false,"l":[3,0],"n":null,"a":"true","b":1,"m":[1,-1],"k":[1.5],"s":3})");
    CHECK(arguments.flag("t"));
    CHECK_FALSE(arguments.flag("f"));
    CHECK_FALSE(arguments.flag("missing"));
    CHECK_FALSE(arguments.flag("n"));
    CHECK(arguments.integers("l") == std::vector<std::int64_t>{3, 0});
    CHECK(arguments.integers("missing").empty());
    CHECK(arguments.mistakes().empty());
    arguments.flag("a");
    arguments.flag("b");
    arguments.integers("m");
    arguments.integers("k");
    arguments.integers("s");
    CHECK(arguments.mistakes() ==
          "`a` must be true or false.\n`b` must be true or false.\n"
          "`m` must be an array of whole numbers that are not negative.\n"
          "`k` must be an array of whole numbers that are not negative.\n"
          "`s` must be an array of whole numbers that are not negative.");
}

TEST_CASE("an argument is one of several texts") {
    mcp::Arguments arguments(R"({"a":"one","b":"three","c":1})");
    constexpr std::array<std::string_view, 2> choices{"one", "two"};
    CHECK(arguments.choice("a", choices) == "one");
    CHECK(arguments.choice("missing", choices).empty());
    CHECK(arguments.mistakes().empty());
    arguments.choice("b", choices);
    arguments.choice("c", choices);
    CHECK(arguments.mistakes() == "`b` must be \"one\" or \"two\".\n`c` must be a string.");
}

TEST_CASE("an excerpt is as long as it may be, and cuts no character") {
    CHECK(mcp::excerpt("abc", 5) == "abc");
    CHECK(mcp::excerpt("", 2).empty());
    std::string text;
    for (int i = 0; i < 300; ++i)
        text += i % 3 == 0 ? "\n" : i % 3 == 1 ? "ü" : "\x01";
    for (std::size_t room : {2U, 10U, 100U, 500U, 901U}) {
        std::string_view part = mcp::excerpt(text, room);
        CHECK(json::quoted_size(part) <= room);
        CHECK_FALSE(json::invalid_utf8(part));
        CHECK(text.starts_with(part));
        if (part.size() < text.size()) CHECK(json::quoted_size(part) + 6 > room);
    }
}
