#include "config/load.hpp"

#include "base/text.hpp"
#include "json_schema/schema.hpp"
#include "load_helper.hpp"

namespace {

using namespace config_test;
using config::Command;
using config::LoadResult;
using config::PoolAction;

// The problems of a config with one step "A" that has `members` besides its name; the step starts at 1:12.
std::string of_step(const std::string& members) {
    return problems(load("{\"steps\": [{\"name\": \"A\"" + members + "}]}"));
}

std::string of_action(const std::string& action) {
    return of_step(", \"action\": " + action);
}

}  // namespace

TEST_CASE("a config with everything in it is read") {
    auto config = good(R"(// a workflow
{
  "$schema": "./config.schema.json",
  "entrypoint": "List",
  "options": { "timeout": 90, "max_retries": 2, "max_concurrency": 8, "retry_on_timeout": false, },
  "steps": [
    {
      "name": "List",
      "value_schema": { "type": "object" },
      "pre": { "kind": "Command", "script": "cat" },
      "action": { "kind": "Command", "script": "ls" },
      "post": { "kind": "Command", "script": "tee /dev/null" },
      "finally": { "kind": "Command", "script": "echo '[]'" },
      "next": ["Look", "List"],
    },
    {
      "name": "Look", /* an agent does it */
      "action": { "kind": "Pool", "instructions": { "inline": "Look at it." } },
      "options": { "timeout": 0.5, "max_retries": 0,
                   "retry_on_timeout": true, "retry_on_invalid_response": false },
    },
  ],
})");
    REQUIRE(config.steps.size() == 2);
    CHECK(config.entrypoint == config::StepId{0});
    CHECK(config.max_concurrency == 8u);
    CHECK(config.directory == "/nowhere");
    CHECK(config.find("Look") == config::StepId{1});
    CHECK_FALSE(config.find("look"));

    const auto& list = config.steps[0];
    CHECK(list.name == "List");
    REQUIRE(list.value_schema);
    CHECK(list.value_schema->text() == R"({"type":"object"})");
    CHECK(list.pre->script == "cat");
    CHECK(std::get<Command>(list.action).script == "ls");
    CHECK(list.post->script == "tee /dev/null");
    CHECK(list.finally->script == "echo '[]'");
    CHECK(list.next == std::vector{config::StepId{1}, config::StepId{0}});
    CHECK(list.pool_instructions.empty());
    CHECK(list.options.timeout == std::chrono::seconds(90));
    CHECK(list.options.timeout_text == "90");
    CHECK(list.options.max_retries == 2);
    CHECK_FALSE(list.options.retry_on_timeout);
    CHECK(list.options.retry_on_invalid_response);

    const auto& look = config.steps[1];
    CHECK_FALSE(look.value_schema);
    CHECK_FALSE(look.pre);
    CHECK(std::get<PoolAction>(look.action).instructions == "Look at it.");
    CHECK(look.next.empty());
    CHECK_FALSE(look.pool_instructions.empty());
    CHECK(look.options.timeout == std::chrono::milliseconds(500));
    CHECK(look.options.timeout_text == "0.5");
    CHECK(look.options.max_retries == 0);
    CHECK(look.options.retry_on_timeout);
    CHECK_FALSE(look.options.retry_on_invalid_response);
}

TEST_CASE("what is left out has its default") {
    auto config = good(R"({"steps": [{"name": "A", "action": {"kind": "Pool"}}]})");
    const auto& options = config.steps[0].options;
    CHECK_FALSE(config.entrypoint);
    CHECK_FALSE(config.max_concurrency);
    CHECK_FALSE(options.timeout);
    CHECK(options.timeout_text.empty());
    CHECK(options.max_retries == 0);
    CHECK(options.retry_on_timeout);
    CHECK(options.retry_on_invalid_response);
    CHECK(options.retry_feedback);
    CHECK_FALSE(options.lenient_response);
    CHECK_FALSE(options.retry_backoff);
    CHECK(std::get<PoolAction>(config.steps[0].action).instructions.empty());
}

TEST_CASE("a step's option replaces the workflow's, and leaves the others in force") {
    auto config = good(R"({"options": {"timeout": 90, "max_retries": 2, "retry_on_timeout": false},
        "steps": [{"name": "A", "action": {"kind": "Pool"}, "options": {"max_retries": 5}}]})");
    const auto& options = config.steps[0].options;
    CHECK(options.max_retries == 5);
    CHECK(options.timeout == std::chrono::seconds(90));
    CHECK(options.timeout_text == "90");
    CHECK_FALSE(options.retry_on_timeout);
}

TEST_CASE("instructions are a string, inline or linked") {
    auto text = [](const std::string& instructions) {
        auto config = good(R"({"steps": [{"name": "A", "action": {"kind": "Pool", "instructions": )" +
                           instructions + "}}]}");
        return std::get<PoolAction>(config.steps[0].action).instructions;
    };
    CHECK(text(R"("Do\n it.")") == "Do\n it.");
    CHECK(text(R"({"inline": "Do it."})") == "Do it.");
}

TEST_CASE("a config with five mistakes reports all five, with line and column") {
    LoadResult result = load(R"({
  "entrypoint": "Strat",
  "steps": [
    {
      "name": "Start",
      "actoin": { "kind": "Pool" },
      "next": ["Finish", "Finnish"]
    },
    { "name": "Finish", "action": { "kind": "Command", "script": 5 } }
  ]
})");
    CHECK_FALSE(result.config);
    CHECK(problems(result) ==
          "w.jsonc:2:17: error: \"entrypoint\" names an unknown step \"Strat\"; did you mean \"Start\"?\n"
          "w.jsonc:4:5: error: \"action\" is missing in a step\n"
          "w.jsonc:6:7: error: unknown field \"actoin\" in a step; did you mean \"action\"?\n"
          "w.jsonc:7:26: error: \"next\" names an unknown step \"Finnish\"; did you mean \"Finish\"?\n"
          "w.jsonc:9:66: error: \"script\" must be a string, not a number\n");
}

TEST_CASE("a syntax error is one problem") {
    CHECK(problems(load("{\n  \"steps\": [,]\n}")) ==
          "w.jsonc:2:13: error: expected a value or ']', found ','\n");
    CHECK(problems(load("")) == "w.jsonc:1:1: error: expected a value, but the text is empty\n");
}

TEST_CASE("columns count characters, not bytes") {
    CHECK(problems(load("{\"steps\": [{\"name\": \"\xC3\xA9\xE2\x82\xAC\", \"x\": 1, " +
                        std::string(command) + "}]}")) ==
          "w.jsonc:1:27: error: unknown field \"x\" in a step; a step has: name, value_schema, pre, action, "
          "post, finally, gather, next, options, env\n");
}

TEST_CASE("steps are required, and at least one") {
    CHECK(problems(load("{}")) == "w.jsonc:1:1: error: \"steps\" is missing in the config\n");
    CHECK(problems(load(R"({"entrypoint": "A", "stpes": []})")) ==
          "w.jsonc:1:1: error: \"steps\" is missing in the config\n"
          "w.jsonc:1:21: error: unknown field \"stpes\" in the config; did you mean \"steps\"?\n");
    CHECK(problems(load("{\"steps\": []}")) ==
          "w.jsonc:1:11: error: \"steps\" must have at least one step\n");
    CHECK(problems(load("{\"steps\": {}}")) ==
          "w.jsonc:1:11: error: \"steps\" must be an array, not an object\n");
    CHECK(problems(load("[]")) == "w.jsonc:1:1: error: the config must be an object, not an array\n");
    CHECK(problems(load("{\"steps\": [5]}")) ==
          "w.jsonc:1:12: error: a step must be an object, not a number\n");
}

TEST_CASE("of a step's name something is seen") {
    for (const char* name : {" ", "\u00a0 \u3000", "\u200b", "\ufeff\u2060", "\u2028", "\u00ad",
                             "\u115f\u1160", "\u3164", "\uffa0 "}) {
        INFO(name);
        std::string text = base::concat("{\"steps\": [{\"name\": \"", name, "\", ", command, "}]}");
        CHECK(problems(load(text)).ends_with("and not only blanks\n"));
        CHECK_FALSE(violation_of_schema_document(text).empty());
    }
}

TEST_CASE("what a terminal would obey is not in a step's name") {
    for (const char* name : {"a\u009b31mb", "a\u2028b", "a\u202eb", "a\u2066b", "a\x7f"}) {
        INFO(name);
        std::string text = base::concat("{\"steps\": [{\"name\": \"", name, "\", ", command, "}]}");
        CHECK(problems(load(text)) ==
              "w.jsonc:1:21: error: a step's name has 1 to 200 characters, none of which is a control "
              "character, and not only blanks\n");
        CHECK_FALSE(violation_of_schema_document(text).empty());
    }
    std::string allowed = base::concat("{\"steps\": [{\"name\": \"é 日 \u00a0\u2065\", ", command, "}]}");
    CHECK(problems(load(allowed)).empty());
    CHECK(violation_of_schema_document(allowed).empty());
}

TEST_CASE("names of steps are unique and not empty") {
    CHECK(problems(load("{\"steps\": [{\"name\": \"A\", " + std::string(command) + "},\n{\"name\": \"A\", " +
                        command + "}]}")) == "w.jsonc:2:10: error: there are two steps named \"A\"\n");
    CHECK(problems(load("{\"steps\": [{\"name\": \"\", " + std::string(command) + "}]}")) ==
          "w.jsonc:1:21: error: a step's name has 1 to 200 characters, none of which is a control character, "
          "and not only blanks\n");
    CHECK(problems(load("{\"steps\": [{\"name\": 7, " + std::string(command) + "}]}")) ==
          "w.jsonc:1:21: error: \"name\" must be a string, not a number\n");
}

TEST_CASE("a field that occurs twice is a mistake") {
    CHECK(of_step(", " + std::string(command) + ", \"n\\u0061me\": \"B\"") ==
          "w.jsonc:1:75: error: \"n\\u0061me\" occurs twice in a step\n");
}

TEST_CASE("a step whose action is wrong can still be named by others") {
    CHECK(
        problems(load(R"({"steps": [{"name": "A", "action": {"kind": "Poll"}, "next": ["A", "A", 5]}]})")) ==
        "w.jsonc:1:45: error: an action's \"kind\" is \"Pool\", \"Command\" or \"Human\", not \"Poll\"; did "
        "you mean "
        "\"Pool\"?\n"
        "w.jsonc:1:68: error: \"A\" occurs twice in \"next\"\n"
        "w.jsonc:1:73: error: \"next\" must name steps by strings, not a number\n");
}

TEST_CASE("mistakes in an action are named") {
    CHECK(of_step("") == "w.jsonc:1:12: error: \"action\" is missing in a step\n");
    CHECK(
        of_action("{}") ==
        "w.jsonc:1:36: error: \"kind\" is missing in an action; it is \"Pool\", \"Command\" or \"Human\"\n");
    CHECK(of_action("[]") == "w.jsonc:1:36: error: \"action\" must be an object, not an array\n");
    CHECK(of_action(R"({"kind": 1})") ==
          "w.jsonc:1:45: error: an action's \"kind\" is \"Pool\", \"Command\" or \"Human\", not 1\n");
    CHECK(of_action(R"({"kind": "Command"})") == "w.jsonc:1:36: error: \"script\" is missing in a Command\n");
    CHECK(of_action(R"({"kind": "Command", "script": " \n"})") ==
          "w.jsonc:1:66: error: \"script\" is empty\n");
    CHECK(of_action(R"({"kind": "Command", "script": "a\u0000b"})") ==
          "w.jsonc:1:66: error: \"script\" has a NUL character\n");
    CHECK_THAT(of_action(R"({"kind": "Command", "script": ")" + std::string(128 * 1024, 'x') + "\"}"),
               Catch::StartsWith("w.jsonc:1:66: error: \"script\" is longer than the 128 KiB"));
    CHECK(of_action(R"({"kind": "Command", "script": "a", "instructions": "b"})") ==
          "w.jsonc:1:71: error: unknown field \"instructions\" in a Command; a Command has: kind, script, "
          "on, labels\n");
    CHECK(of_action(R"({"kind": "Pool", "instructions": 5})") ==
          "w.jsonc:1:69: error: \"instructions\" must be a string, {\"inline\": \"text\"} or {\"link\": "
          "\"path\"}, not a "
          "number\n");
    CHECK(of_action(R"({"kind": "Pool", "instructions": {"inlin": "x"}})") ==
          "w.jsonc:1:69: error: \"inline\" is missing in instructions\n"
          "w.jsonc:1:70: error: unknown field \"inlin\" in instructions; did you mean \"inline\"?\n");
}

TEST_CASE("mistakes in hooks are named") {
    auto with = [](const std::string& hook) { return of_step(", " + std::string(command) + ", " + hook); };
    CHECK(with(R"("pre": {"kind": "Pool"})") ==
          "w.jsonc:1:91: error: the \"kind\" of \"pre\" is \"Command\", not \"Pool\"\n");
    CHECK(with(R"("post": {"kind": "Command", "script": ""})") ==
          "w.jsonc:1:113: error: \"script\" is empty\n");
    CHECK(with(R"("finally": "x")") == "w.jsonc:1:86: error: \"finally\" must be an object, not a string\n");
    CHECK(with(R"("finaly": {})") ==
          "w.jsonc:1:75: error: unknown field \"finaly\" in a step; did you mean \"finally\"?\n");
}

TEST_CASE("mistakes in options are named") {
    auto with = [](const std::string& options) {
        return problems(
            load("{\"options\": {" + options + "}, \"steps\": [{\"name\": \"A\", " + command + "}]}"));
    };
    CHECK(with("\"max_retries\": -1") ==
          "w.jsonc:1:29: error: \"max_retries\" must be a whole number from 0 to 4294967295, not -1\n");
    CHECK(with("\"max_retries\": 1.5") ==
          "w.jsonc:1:29: error: \"max_retries\" must be a whole number from 0 to 4294967295, not 1.5\n");
    CHECK(with("\"max_concurrency\": 0") ==
          "w.jsonc:1:33: error: \"max_concurrency\" must be a whole number from 1 to 4294967295, not 0\n");
    CHECK(with("\"timeout\": 1e400") ==
          "w.jsonc:1:25: error: \"timeout\" must be a number of seconds from 0.001 to 1000000000, "
          "not "
          "1e400\n");
    CHECK(with("\"timeout\": \"5\"") == "w.jsonc:1:25: error: \"timeout\" must be a number, not a string\n");
    CHECK(with("\"retry_on_timeout\": 1") ==
          "w.jsonc:1:34: error: \"retry_on_timeout\" must be true or false, not a number\n");
    CHECK(
        with("\"max_retires\": 1") ==
        "w.jsonc:1:14: error: unknown field \"max_retires\" in the options; did you mean \"max_retries\"?\n");
}

TEST_CASE("the shortest timeout is a millisecond") {
    auto config = good("{\"options\": {\"timeout\": 1e-3}, \"steps\": [{\"name\": \"A\", " +
                       std::string(command) + "}]}");
    CHECK(config.steps[0].options.timeout == std::chrono::milliseconds(1));
    CHECK(config.steps[0].options.timeout_text == "1e-3");
}

TEST_CASE("what a schema has wrong is found inside of it") {
    CHECK(problems(load(R"({"steps": [{"name": "A", "value_schema": {
  "requird": ["x"],
  "properties": { "x": { "type": "sting", "unevaluatedItems": false } }
}, )" + std::string(command) +
                        "}]}")) ==
          "w.jsonc:2:3: error: in \"value_schema\": unknown keyword \"requird\"; did you mean \"required\"?\n"
          "w.jsonc:3:34: error: in \"value_schema\": /properties/x/type is \"sting\", but must be \"null\", "
          "\"boolean\", \"object\", \"array\", \"number\", \"string\" or \"integer\"; did you mean "
          "\"string\"?\n"
          "w.jsonc:3:43: error: in \"value_schema\": the keyword \"unevaluatedItems\" at /properties/x "
          "is not supported: use \"items\" next to \"prefixItems\"\n");
    CHECK(of_step(", \"value_schema\": 5, " + std::string(command)) ==
          "w.jsonc:1:42: error: in \"value_schema\": a schema must be an object or a boolean\n");
}

TEST_CASE("an unknown field that is near to no known one comes with all there are") {
    auto of_options = [](const std::string& where) {
        return of_step(", " + std::string(command) + ", \"options\": {" + where + "}");
    };
    CHECK_THAT(
        problems(load("{\"author\": 1, \"steps\": [{\"name\": \"A\", " + std::string(command) + "}]}")),
        Catch::EndsWith("unknown field \"author\" in the config; the config has: $schema, entrypoint, "
                        "options, env, agents, steps\n"));
    CHECK_THAT(problems(load("{\"options\": {\"color\": 1}, \"steps\": [{\"name\": \"A\", " +
                             std::string(command) + "}]}")),
               Catch::EndsWith(
                   "unknown field \"color\" in the options; the options have: timeout, max_retries, "
                   "max_concurrency, retry_on_timeout, retry_on_invalid_response, retry_backoff, budget, "
                   "retry_feedback, lenient_response, max_tasks, max_depth, max_run_seconds, "
                   "max_response_bytes, max_tasks_per_response\n"));
    CHECK_THAT(of_options("\"color\": 1"),
               Catch::EndsWith("unknown field \"color\" in a step's options; a step's options have: timeout, "
                               "max_retries, retry_on_timeout, retry_on_invalid_response, retry_backoff, "
                               "retry_feedback, lenient_response, max_response_bytes, "
                               "max_tasks_per_response, max_concurrency, priority, serial_key\n"));
    CHECK_THAT(
        of_options("\"max_retries\": 1, \"retry_backoff\": {\"initial\": 1, \"seconds\": 1}"),
        Catch::EndsWith("in \"retry_backoff\"; \"retry_backoff\" has: initial, factor, max, jitter\n"));
    CHECK_THAT(of_action(R"({"kind": "Pool", "script": "true"})"),
               Catch::EndsWith("unknown field \"script\" in a Pool action; a Pool action has: kind, "
                               "instructions, labels, images\n"));
}

TEST_CASE("a problem is one line, whatever the name") {
    std::string text = of_step(", " + std::string(command) + R"(, "a\nb": 1)");
    CHECK(std::count(text.begin(), text.end(), '\n') == 1);
}
