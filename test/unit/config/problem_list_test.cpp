#include "config/problem_list.hpp"

#include "base/text.hpp"
#include "load_helper.hpp"

using config::ProblemList;

TEST_CASE("mistakes are told in the order of the text, whatever the order in which they are found") {
    std::string_view text = "[\"ä\", 1,\r\n  \"ö\", 2,\n\n3]";
    ProblemList problems(text, "w.jsonc");
    for (char token : {'3', '1', '2'})
        problems.add(text.find(token), std::string(1, token));
    problems.add(text.find('1'), "1 again");
    problems.add(text.size(), "end");
    std::string told;
    for (const auto& problem : problems.take().shown)
        told += config::to_string(problem) + "\n";
    CHECK(told ==
          "w.jsonc:1:7: error: 1\nw.jsonc:1:7: error: 1 again\nw.jsonc:2:8: error: 2\n"
          "w.jsonc:4:1: error: 3\nw.jsonc:4:3: error: end\n");
    CHECK(problems.empty());
}

TEST_CASE("the first hundred mistakes are told, and how many more there are") {
    std::string text(200, ' ');
    for (std::size_t count : {0U, 1U, 100U, 101U, 150U}) {
        ProblemList problems(text, "w.jsonc");
        for (std::size_t i = count; i > 0; --i)
            problems.add(i - 1, "wrong");
        auto found = problems.take();
        CHECK(found.count() == count);
        CHECK(found.shown.size() == std::min<std::size_t>(count, 100));
        for (std::size_t i = 0; i < found.shown.size(); ++i)
            CHECK(found.shown[i].column == i + 1);
        CHECK(config::omitted(found) == (count == 101   ? "… and 1 more error"
                                         : count == 150 ? "… and 50 more errors"
                                                        : ""));
    }
}

TEST_CASE("the mistakes in a linked file count, those that are not told too") {
    config_test::TempDirectory directory;
    std::string schema = "{\"properties\": {";
    for (int i = 0; i < 300; ++i)
        schema += base::concat(i > 0 ? "," : "", "\"p", i, "\": {\"type\": \"wrong\"}");
    directory.write("schema.json", schema + "}}");
    std::string text = base::concat(R"({"steps": [{"name": "A", "value_schema": {"link": "schema.json"}, )",
                                    config_test::command, R"(, "wrong": 1}]})");
    auto found = config::load_text(text, "w.jsonc", directory.path()).problems;
    CHECK(found.count() == 301);
    REQUIRE(found.shown.size() == 100);
    CHECK(found.shown.front().file == directory.path() + "/schema.json");
    CHECK(config::omitted(found) == "… and 201 more errors");
}
