#include "config/warnings.hpp"

#include "json_schema/contradiction.hpp"
#include "json_schema/schema.hpp"
#include "load_helper.hpp"
#include "source_dir.hpp"

namespace {

using namespace config_test;

// A step of a command; `members` begin with a comma.
std::string step(const std::string& name, const std::string& next, const std::string& members = "") {
    return "{\"name\": \"" + name + "\", " + command + ", \"next\": [" + next + "]" + members + "}";
}

std::string finally(const std::string& script) {
    return R"(, "finally": {"kind": "Command", "script": )" + json::quote(script) + "}";
}

// The warnings of a config with these steps, a line each, without their places.
std::string warned(const std::vector<std::string>& steps,
                   const std::string& first = "\"entrypoint\": \"A\", ") {
    std::string text = "{" + first + "\"steps\": [";
    for (const std::string& each : steps)
        text += each + ",";
    text += "]}";
    std::string out;
    for (const auto& problem : config::warnings(good(text), text, "w.jsonc").shown)
        out += problem.message + "\n";
    return out;
}

constexpr const char* bounded = R"("entrypoint": "A", "options": {"max_tasks": 9}, )";

std::string contradiction(std::string_view text) {
    auto schema = json_schema::Schema::compile(json::View::of(text));
    REQUIRE(schema.has_value());
    return json_schema::contradiction(**schema).value_or("");
}

}  // namespace

TEST_CASE("a warning is shown like an error, at its place") {
    std::string text =
        "{\"entrypoint\": \"A\", \"steps\": [\n" + step("A", "") + ",\n" + step("B", "") + "]}";
    auto found = config::warnings(good(text), text, "w.jsonc").shown;
    REQUIRE(found.size() == 1);
    CHECK(config::with_excerpt(found[0]) ==
          "w.jsonc:3:10: warning: the step \"B\" can't be reached from the entrypoint, \"A\": it can only be "
          "started with --initial-state\n"
          "    3 | {\"name\": \"B\", \"action\": {\"kind\": \"Command\", \"script\": \"true\"}, \"next\": "
          "[]}]}\n"
          "      |          ^~~");
}

TEST_CASE("steps that can't be reached from the entrypoint are warned of") {
    CHECK(warned({step("A", "\"B\""), step("B", "")}).empty());
    CHECK(warned({step("A", ""), step("B", "\"C\""), step("C", "")}) ==
          "the step \"B\" can't be reached from the entrypoint, \"A\": it can only be started with "
          "--initial-state\n"
          "the step \"C\" can't be reached from the entrypoint, \"A\": it can only be started with "
          "--initial-state\n");
    CHECK(warned({step("A", ""), step("B", "")}, "").empty());
}

TEST_CASE("what a finally emits, or may emit, can be reached") {
    CHECK(warned({step("A", "", finally("jq '[{kind: \"B\", value: 1}]'")), step("B", "")}).empty());
    CHECK(warned({step("A", "", finally("./finish.sh")), step("B", "")}).empty());
    CHECK_FALSE(warned({step("A", "", finally("echo '[]'")), step("B", "")}).empty());
    // It never runs: nothing leads to its step.
    CHECK_FALSE(warned({step("A", ""), step("B", "", finally("./finish.sh"))}).empty());
}

TEST_CASE("cycles from which no terminal step can be reached are warned of") {
    CHECK(warned({step("A", "\"A\", \"B\""), step("B", "")}, bounded).empty());
    CHECK(warned({step("A", "\"A\"")}, bounded) ==
          "a cycle without an exit: \"A\" -> \"A\"; no terminal step can be reached from it, so it ends only "
          "when a task returns []\n");
    CHECK(warned({step("A", "\"C\""), step("B", "\"C\""), step("C", "\"B\"")}, bounded)
              .starts_with("a cycle without an exit: \"B\" -> \"C\" -> \"B\";"));
    std::string two = warned({step("A", "\"B\", \"C\""), step("B", "\"B\""), step("C", "\"C\"")});
    CHECK(two.find("\"B\" -> \"B\"") != std::string::npos);
    CHECK(two.find("\"C\" -> \"C\"") != std::string::npos);
}

TEST_CASE("of a long cycle, the beginning and the end are named") {
    auto cycle = [](int count) {
        std::vector<std::string> steps;
        for (int i = 0; i < count; ++i)
            steps.push_back(step("S" + std::to_string(i), "\"S" + std::to_string((i + 1) % count) + "\""));
        return warned(steps, R"("entrypoint": "S0", "options": {"max_tasks": 9}, )");
    };
    CHECK(cycle(12).find("\"S10\" -> \"S11\" -> \"S0\"; no") != std::string::npos);
    CHECK(cycle(13).find("\"S10\" -> (1 more steps) -> \"S12\" -> \"S0\"; no") != std::string::npos);
    CHECK(cycle(5000).find("\"S10\" -> (4988 more steps) -> \"S4999\" -> \"S0\"; no") != std::string::npos);
    CHECK(cycle(5000).size() < 500);
}

TEST_CASE("cycles in a workflow without a bound are warned of") {
    CHECK(
        warned({step("A", "\"A\", \"B\""), step("B", "")}) ==
        "a cycle without a bound: \"A\" -> \"A\"; nothing ends a run that goes on in it; give the options at "
        "the top \"max_tasks\", \"max_depth\" or \"max_run_seconds\"\n");
    CHECK(warned({step("A", "\"B\""), step("B", "")}).empty());
    for (const char* bound : {"max_tasks", "max_depth", "max_run_seconds"})
        CHECK(warned({step("A", "\"A\", \"B\""), step("B", "")},
                     std::string(R"("entrypoint": "A", "options": {")") + bound + "\": 5}, ")
                  .empty());
}

TEST_CASE("a cycle needs no bound if a person decides each time whether to go on") {
    std::string ask = R"({"name": "Ask", "action": {"kind": "Human", "instructions": {"inline": "Well?"}},)"
                      R"( "next": ["A", "B"]})";
    CHECK(warned({step("A", "\"Ask\""), ask, step("B", "")}).empty());
    CHECK(warned({step("A", "\"Ask\", \"A\""), ask, step("B", "")})
              .starts_with("a cycle without a bound: \"A\" -> \"A\";"));
}

TEST_CASE("a gather of steps that its tasks do not lead to is warned of") {
    auto gather = [](const std::string& of) { return R"(, "gather": {"into": "Sum", "of": [)" + of + "]}"; };
    CHECK(warned({step("A", "\"B\"", gather("\"B\"")), step("B", ""), step("Sum", "")}).empty());
    CHECK(warned({step("A", "\"B\"", gather("\"B\", \"Sum\"")), step("B", ""), step("Sum", "")}) ==
          "no task of \"A\" leads to one of \"Sum\", so nothing of that step is gathered\n");
    // It cannot be known.
    CHECK(
        warned({step("A", "\"B\"", gather("\"Sum\"")), step("B", "", finally("./more.sh")), step("Sum", "")})
            .empty());
}

TEST_CASE("a gather whose value never fits is warned of") {
    auto into = [](const std::string& schema) {
        return warned({step("A", "\"B\"", R"(, "gather": {"into": "Sum", "of": ["B"]})"), step("B", ""),
                       step("Sum", "", ", \"value_schema\": " + schema)});
    };
    CHECK(
        into(R"({"type": "array"})") ==
        "what is gathered is {\"value\": …, \"results\": […], \"dropped\": N}, and never fits the schema of "
        "\"Sum\": expected array, found an object\n");
    CHECK_FALSE(into(R"({"required": ["summary"]})").empty());
    CHECK_FALSE(
        into(R"({"properties": {"value": {}, "results": {}}, "additionalProperties": false})").empty());
    CHECK(into(R"({"type": "object", "required": ["value", "results", "dropped"]})").empty());
    CHECK(into(R"({"properties": {"value": {"type": "string"}, "results": {"minItems": 1}}})").empty());
}

TEST_CASE("each group of steps that lead to each other is warned of once, by its shortest way round") {
    auto ways = [](const std::vector<std::string>& steps) {
        std::string text = warned(steps);
        std::string found;
        constexpr std::string_view before = "without a bound: ";
        for (auto at = text.find(before); at != std::string::npos; at = text.find(before, at + 1)) {
            auto begin = at + before.size();
            found += text.substr(begin, text.find(';', begin) - begin) + "\n";
        }
        return found;
    };
    CHECK(ways({step("A", "\"B\""), step("B", "\"C\", \"D\""), step("C", "\"A\", \"E\""), step("D", "\"C\""),
                step("E", "")}) == "\"A\" -> \"B\" -> \"C\" -> \"A\"\n");
    CHECK(ways({step("A", "\"B\""), step("B", "\"B\", \"C\""), step("C", "\"D\", \"E\""), step("D", "\"C\""),
                step("E", "")}) == "\"B\" -> \"B\"\n\"C\" -> \"D\" -> \"C\"\n");
    CHECK(ways({step("A", "\"B\", \"C\""), step("B", "\"C\""), step("C", "")}).empty());
    CHECK(ways({step("A", "", finally("jq '[{kind: \"A\"}]'"))}) == "\"A\" -> \"A\"\n");
}

TEST_CASE("a Pool step without instructions is warned of") {
    auto pool = [](const std::string& more) {
        return warned({"{\"name\": \"A\", \"action\": {\"kind\": \"Pool\"" + more +
                       "}, \"options\": {\"timeout\": 9}}"});
    };
    CHECK(pool("").starts_with("the Pool step \"A\" has no \"instructions\""));
    CHECK_FALSE(pool(", \"instructions\": \" \\n\"").empty());
    CHECK(pool(", \"instructions\": \"Do it.\"").empty());
}

TEST_CASE("a Pool step without a timeout is warned of, wherever the timeout might come from") {
    std::string pool = R"({"name": "A", "action": {"kind": "Pool", "instructions": "Do it."})";
    std::string everywhere = R"("entrypoint": "A", "options": {"timeout": 9}, )";
    CHECK(warned({pool + "}"}).starts_with("the Pool step \"A\" has no timeout: "));
    CHECK(warned({pool + R"(, "options": {"timeout": 9}})"}).empty());
    CHECK(warned({pool + "}"}, everywhere).empty());
    CHECK(warned({step("A", "")}).empty());
}

TEST_CASE("a step whose schema no value fits is warned of") {
    CHECK(warned({step("A", "", ", \"value_schema\": false")}) ==
          "no value fits the schema of \"A\", so it can have no tasks: it is false, which no value "
          "fits\n");
    CHECK(warned({step("A", "", ", \"value_schema\": {\"type\": \"object\"}")}).empty());
}

TEST_CASE("a format that nobody checks is warned of") {
    auto with_format = [](const std::string& format) {
        return step("A", "", R"(, "value_schema": {"items": {"format": ")" + format + "\"}}");
    };
    CHECK(warned({with_format("email")}).empty());
    CHECK(warned({with_format("phone")}) ==
          "in the schema of \"A\", /items/format is \"phone\", which is not checked; use a \"pattern\" to "
          "check it\n");
}

TEST_CASE("schemas that contradict themselves are found") {
    CHECK(contradiction("false") == "it is false, which no value fits");
    CHECK(contradiction(R"({"type": "string", "enum": [1, 2]})") ==
          "/enum has no value that fits the rest of the schema");
    CHECK(contradiction(R"({"type": "string", "const": 1})") == "/const does not fit the rest of the schema");
    CHECK(contradiction(R"({"type": "integer", "minimum": 5, "maximum": 4})") ==
          "/minimum, 5, is more than /maximum, 4");
    CHECK(contradiction(R"({"type": "array", "minItems": 2, "maxItems": 1})") ==
          "/minItems, 2, is more than /maxItems, 1");
    CHECK(contradiction(R"({"type": "object", "required": ["a"], "properties": {"a": false}})") ==
          "/properties/a is false, which no value fits");
    CHECK(contradiction(R"({"type": "object", "required": ["a"], "additionalProperties": false})") ==
          "/required requires the member \"a\", which /additionalProperties does not allow");
    CHECK(contradiction(R"({"allOf": [{}, {"type": "null", "enum": [1]}]})") ==
          "/allOf/1/enum has no value that fits the rest of the schema");
}

TEST_CASE("schemas that something fits are no contradiction") {
    for (const char* schema :
         {"true", "{}", R"({"minimum": 5, "maximum": 4})",
          R"({"type": ["integer", "null"], "minimum": 5, "maximum": 4})",
          R"({"required": ["a"], "properties": {"a": false}})",
          R"({"type": "object", "properties": {"a": false}})", R"({"type": "string", "enum": [1, "a"]})",
          R"({"type": "object", "required": ["ab"], "additionalProperties": false,
              "patternProperties": {"^a": {}}})",
          R"({"$ref": "#/definitions/a", "definitions": {"a": false}})",
          R"({"type": "object", "required": ["a"], "properties": {"a": {"enum": [{"b": 1}], "properties":
              {"b": {"$ref": "#/definitions/a"}}}}, "definitions": {"a": {"type": "integer"}}})"}) {
        INFO(schema);
        CHECK(contradiction(schema).empty());
    }
}

TEST_CASE("the examples give no reason for a warning") {
    namespace fs = std::filesystem;
    for (const auto& entry : fs::directory_iterator(source_dir() / "config-examples")) {
        if (!entry.is_directory()) continue;
        auto loaded = config::load((entry.path() / "workflow.jsonc").string());
        INFO(entry.path().string());
        REQUIRE(loaded.config);
        for (const auto& problem : config::warnings(*loaded.config, loaded.text, loaded.name).shown)
            FAIL_CHECK(config::to_string(problem));
    }
}
