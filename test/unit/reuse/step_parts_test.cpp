#include "reuse/step_parts.hpp"

#include "config/load.hpp"

#include <catch2/catch.hpp>

namespace {

// The names of the parts of step A that the two configs, with these members in A and B, do not have in
// common.
std::vector<std::string> changed(const std::string& a_before, const std::string& a_after,
                                 const std::string& b_before = "", const std::string& b_after = "") {
    auto load = [](const std::string& a, const std::string& b) {
        std::string text = R"({"entrypoint":"A","steps":[{"name":"A",)" + a +
                           R"(},{"name":"B","action":{"kind":"Command","script":"b"},"next":[])" + b + "}]}";
        auto loaded = config::load_text(text, "config", "/");
        REQUIRE(loaded.config);
        return std::move(*loaded.config);
    };
    auto before = load(a_before, b_before);
    auto after = load(a_after, b_after);
    std::vector<std::string> names;
    for (const auto& part : reuse::changed_parts(reuse::parts_of(before, before.steps[0]),
                                                 reuse::parts_of(after, after.steps[0])))
        names.push_back(part.name);
    return names;
}

using Names = std::vector<std::string>;

const std::string command = R"("action":{"kind":"Command","script":"a"},"next":["B"])";
const std::string pool = R"("action":{"kind":"Pool","instructions":"do it"},"next":["B"])";

}  // namespace

TEST_CASE("each part of a step that decides its result is one") {
    CHECK(changed(command, R"("action":{"kind":"Command","script":"x"},"next":["B"])") == Names{"script"});
    CHECK(changed(command, pool) == Names{"kind of action"});
    CHECK(changed(pool, R"("action":{"kind":"Pool","instructions":"do that"},"next":["B"])") ==
          Names{"instructions"});
    CHECK(changed(pool, R"("action":{"kind":"Pool","instructions":"do it","labels":["gpu"]},"next":["B"])") ==
          Names{"labels"});
    CHECK(changed(pool, R"("action":{"kind":"Pool","instructions":"do it","images":["/a"]},"next":["B"])") ==
          Names{"images"});
    CHECK(changed(command, R"("action":{"kind":"Command","script":"a"},"next":["A","B"])") == Names{"next"});
    for (const char* hook : {"pre", "post", "finally"})
        CHECK(changed(command, command + ",\"" + hook + R"(":{"kind":"Command","script":"h"})") ==
              Names{hook});
    CHECK(changed(command, command + R"(,"value_schema":{"type":"object"})") == Names{"value_schema"});
}

TEST_CASE("the variables of scripts are a part of the step, if it has any") {
    CHECK(changed(command, command + R"(,"env":{"A":"1"})") == Names{"env"});
    CHECK(changed(command + R"(,"env":{"A":"1"})", command + R"(,"env":{"A":"2"})") == Names{"env"});
    CHECK(changed(pool, pool + R"(,"env":{"A":"1"})").empty());
    const std::string with_pre = pool + R"(,"pre":{"kind":"Command","script":"h"})";
    CHECK(changed(with_pre, with_pre + R"(,"env":{"A":"1"})") == Names{"env"});
}

TEST_CASE("the schemas of the steps that may follow are parts, and their actions are none") {
    CHECK(changed(command, command, "", R"(,"value_schema":{"type":"object"})") ==
          Names{"value_schema of step B"});
    CHECK(changed(command, command, "", R"(,"pre":{"kind":"Command","script":"h"})").empty());
}

TEST_CASE("options are no parts, nor is the order of a schema's members") {
    CHECK(changed(command, command + R"(,"options":{"max_retries":7,"timeout":3})").empty());
    CHECK(changed(command, command + R"(,"options":{"max_concurrency":1,"priority":7,"serial_key":"/a"})")
              .empty());
    CHECK(changed(command + R"(,"value_schema":{"type":"object","required":["a"]})",
                  command + R"(,"value_schema":{"required":["a"],"type":"object"})")
              .empty());
}
