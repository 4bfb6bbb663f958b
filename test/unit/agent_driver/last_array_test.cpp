#include "agent_driver/last_array.hpp"

#include <catch2/catch.hpp>

#include <string>

namespace {

using agent_driver::answer_text;
using agent_driver::last_array;

std::string found(std::string_view text) {
    return std::string(last_array(text).value_or("none"));
}

struct Row {
    std::string_view text;
    std::string_view found;
};

}  // namespace

TEST_CASE("the response is found in what a model said") {
    const Row rows[] = {
        {"[]", "[]"},
        {" [] ", "[]"},
        {R"(Done: [{"kind":"A"}] - [x] plan - [ ] run tests)", R"([{"kind":"A"}])"},
        {R"([{"kind":"A"}]; nothing is left, [])", R"([{"kind":"A"}])"},
        {"- [ ] run tests", "none"},
        {"int a[]; is wrong", "none"},
        {R"([{"kind":"A"}])", R"([{"kind":"A"}])"},
        {"Done.\n```json\n[\n {\"kind\":\"A\"}\n]\n```\nSee [1] and [the docs](x).",
         "[\n {\"kind\":\"A\"}\n]"},
        {"First I thought of [], but: [{\"kind\":\"B\",\"value\":[[1],[]]}]",
         R"([{"kind":"B","value":[[1],[]]}])"},
        {R"({"tasks":[{"kind":"A"}]})", R"([{"kind":"A"}])"},
        {R"(```{"tasks": []}```)", "[]"},
        {R"([{"text":"a ] bracket, a \" quote and a \\"}])",
         R"([{"text":"a ] bracket, a \" quote and a \\"}])"},
        {R"(it's "quoted" [] text)", "[]"},
        {R"(- [ ] to do, [x] done, {braces}, and the answer [{"kind":"A"}])", R"([{"kind":"A"}])"},
        {"", "none"},
        {"no array", "none"},
        {"[1, 2]", "none"},
    };
    for (const Row& row : rows) {
        INFO(row.text);
        CHECK(found(row.text) == row.found);
    }
}

TEST_CASE("what is inside another value, cut off or wrong is no response") {
    const std::string_view rows[] = {
        R"({"kind":"A","value":{"files":[]}})",
        R"([] is an example. {"kind":"A","value":{"files":[]}})",
        R"([{"kind":"A","value":{"files":[]}})",
        R"([{"kind":"A","value":{"files":[], "x":)",
        R"([{"kind":"A","value":"[])",
        R"([] at first, then [{'kind': 'A'}])",
        R"([{"kind":"A"},])",
        R"([{"kind":"A"}}])",
        R"({"tasks":"[]"})",
        R"({"tasks":[],})",
    };
    for (std::string_view text : rows) {
        INFO(text);
        CHECK(found(text) == "none");
        CHECK(answer_text(text) == text);
    }
}

TEST_CASE("the search reads a text that is full of brackets once") {
    std::string open;
    for (int i = 0; i < 300'000; ++i)
        open += "[{";
    CHECK(found(open) == "none");
    std::string pairs;
    for (int i = 0; i < 300'000; ++i)
        pairs += "[] ";
    CHECK(found(pairs) == "[]");
}
