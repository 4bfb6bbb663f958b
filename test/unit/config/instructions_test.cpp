#include "config/instructions.hpp"

#include "config/load.hpp"

#include <catch2/catch.hpp>

#include <string>

namespace {

std::string instructions(const std::string& text, std::size_t step = 0) {
    auto loaded = config::load_text(text, "w", "/");
    REQUIRE(loaded.config.has_value());
    const auto& config = *loaded.config;
    std::string generated = config::generate_instructions(config, config.steps[step]);
    CHECK(config.steps[step].pool_instructions == generated);
    return generated;
}

constexpr auto preamble =
    "**IMPORTANT: This task is completely isolated. You have no memory of previous tasks. Even if this task "
    "seems "
    "related to prior work, you must complete it from scratch using only the information provided "
    "here.**\n\n";

}  // namespace

TEST_CASE("an agent is told what it may answer, with the schema of each next step") {
    CHECK(instructions(R"({"steps": [
        {"name": "AnalyzeFile", "next": ["Categorize", "Free"], "action": {"kind": "Pool",
         "instructions": "Analyze this file for issues. Return findings as a list of tasks."}},
        {"name": "Categorize", "action": {"kind": "Pool"}, "value_schema":
         {"type": "object", "required": ["findings"], "properties": {"findings": {"type": "array"}}}},
        {"name": "Free", "action": {"kind": "Pool"}}]})") ==
          std::string(preamble) + R"(# Current Step: AnalyzeFile

Analyze this file for issues. Return findings as a list of tasks.

## Valid Responses

You must return a JSON array of tasks. Each task has `kind` and
`value` fields.

Valid next steps:

### Categorize

Value must match schema:
```json
{
  "type": "object",
  "required": ["findings"],
  "properties": {
    "findings": { "type": "array" }
  }
}
```

Example:
{"kind": "Categorize", "value": {...}}

### Free

Accepts any JSON value.

Example:
{"kind": "Free", "value": {...}})");
}

TEST_CASE("an agent of a terminal step is told to return nothing") {
    CHECK(
        instructions(
            R"({"steps": [{"name": "End", "action": {"kind": "Pool", "instructions": "\nFinish.\n\n"}}]})") ==
        std::string(preamble) +
            "# Current Step: End\n\nFinish.\n\n## Terminal Step\n\n"
            "This is a terminal step. Return an empty array: `[]`");
}

TEST_CASE("without an author's text there is no gap in the instructions") {
    CHECK(
        instructions(R"({"steps": [{"name": "End", "action": {"kind": "Pool", "instructions": " \n"}}]})") ==
        std::string(preamble) +
            "# Current Step: End\n\n## Terminal Step\n\nThis is a terminal step. Return an empty array: "
            "`[]`");
}

TEST_CASE("the author's text keeps its lines and its indentation") {
    CHECK_THAT(instructions(R"({"steps": [{"name": "A", "action": {"kind": "Pool",
                "instructions": "  - one\n\n\n  - \u00e9\n"}}]})"),
               Catch::Contains("# Current Step: A\n\n  - one\n\n\n  - \xC3\xA9\n\n## Terminal Step"));
}

TEST_CASE("a step's name is quoted in the example") {
    CHECK_THAT(
        instructions(R"({"steps": [{"name": "a\"b", "next": ["a\"b"], "action": {"kind": "Pool"}}]})"),
        Catch::EndsWith(
            "### a\"b\n\nAccepts any JSON value.\n\nExample:\n{\"kind\": \"a\\\"b\", \"value\": {...}}"));
}

TEST_CASE("instructions can be replaced, and the rest of what the agent is told stays") {
    auto config = *config::load_text(R"({"steps": [
        {"name": "A", "next": ["B"], "action": {"kind": "Pool", "instructions": "Old.", "labels": ["gpu"]}},
        {"name": "B", "action": {"kind": "Pool", "instructions": "Other."}}]})",
                                     "w", "/")
                       .config;
    auto expected = *config::load_text(R"({"steps": [
        {"name": "A", "next": ["B"], "action": {"kind": "Pool", "instructions": "New.\n", "labels": ["gpu"]}},
        {"name": "B", "action": {"kind": "Pool", "instructions": "Other."}}]})",
                                       "w", "/")
                         .config;
    config::set_instructions(config, {0}, "New.\n");
    CHECK(config.steps[0].pool_instructions == expected.steps[0].pool_instructions);
    CHECK(config.steps[1].pool_instructions == expected.steps[1].pool_instructions);
    CHECK(std::get<config::PoolAction>(config.steps[0].action).instructions == "New.\n");
}
