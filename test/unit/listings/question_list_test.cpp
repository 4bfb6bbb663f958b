#include "listings/question_list.hpp"

#include "config/load.hpp"
#include "json/json.hpp"
#include "runs/next_commands.hpp"

#include <catch2/catch.hpp>

#include <memory>

namespace {

using listings::AskingRun;
using runs::RunState;

const statelog::Time since{std::chrono::milliseconds(1'795'390'000'000)};

AskingRun asking(RunState state) {
    auto loaded = config::load_text(
        R"({"steps": [{"name": "Approve", "action": {"kind": "Human", "instructions": "\n  Read it.\nThen say."},
                       "next": ["Done"]},
                      {"name": "Done", "action": {"kind": "Command", "script": "x"}}]})",
        "w", "/");
    REQUIRE(loaded.config.has_value());
    AskingRun run{{}, state, {}};
    run.run.record.id = "7d1c9a52-61f0";
    run.questions.config = std::make_shared<config::WorkflowConfig>(*loaded.config);
    run.questions.open.push_back({{4}, {0}, std::make_shared<std::string>(R"({"a":1.0})"), since, {}});
    return run;
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a question is a line with the first line of its instructions") {
    CHECK(listings::question_table({}).empty());
    AskingRun run = asking(RunState::running);
    auto lines = listings::question_table({run});
    REQUIRE(lines.size() == 2);
    CHECK_FALSE(has(lines[0], "name"));
    CHECK_FALSE(has(lines[0], "expires"));
    CHECK(has(lines[1], "7d1c9a52 "));
    CHECK(lines[1].ends_with("Read it."));
    run.run.record.name = "night\x1bly";
    run.questions.open[0].expires_at = since;
    lines = listings::question_table({run});
    CHECK(has(lines[0], "expires"));
    CHECK(has(lines[1], "night?ly"));
    run.questions.open.clear();
    CHECK(listings::question_table({run}).empty());
}

TEST_CASE("answers that are kept count when the run is resumed, and a living run has none") {
    AskingRun run = asking(RunState::waiting);
    CHECK(listings::kept_answers_text({run}).empty());
    run.questions.given.push_back({{3}, "ada", since, true});
    auto text = listings::kept_answers_text({run});
    CHECK(text.starts_with("Task 3 of 7d1c9a52 was rejected by ada at "));
    CHECK(text.ends_with(runs::command_to_resume("7d1c9a52-61f0") + "\n"));
    run.state = RunState::running;
    CHECK(listings::kept_answers_text({run}).empty());
}

TEST_CASE("questions as JSON have the value as it is, and the steps that may follow") {
    AskingRun run = asking(RunState::waiting);
    run.questions.given.push_back({{3}, "ada", since, false});
    auto text = listings::questions_json({run});
    REQUIRE(json::checked(text).has_value());
    CHECK(has(text, R"("task_id":4,"step":"Approve","value":{"a":1.0},"since":1795390000000)"));
    CHECK(has(text, R"("next":["Done"])"));
    CHECK(has(text, R"("task_id":3,"answered":1795390000000,"user":"ada","rejected":false)"));
    CHECK(listings::questions_json({}) == "[]\n");
}
