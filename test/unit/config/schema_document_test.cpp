// `barnum config schema` against what it describes: every example, every config that a test has written, and
// the table of fields.
#include "config/schema_document.hpp"

#include "config/fields.hpp"
#include "json/json.hpp"
#include "json_schema/schema.hpp"
#include "load_helper.hpp"
#include "source_dir.hpp"

#include <algorithm>
#include <sstream>

namespace {

namespace fs = std::filesystem;

std::shared_ptr<const json_schema::Schema> compiled() {
    static const auto schema = [] {
        std::string text = config::schema_document();
        REQUIRE_FALSE(json::check(text));
        auto made = json_schema::Schema::compile(json::View::of(text));
        INFO((made.has_error() ? made.error().message : ""));
        REQUIRE(made.has_value());
        return *made;
    }();
    return schema;
}

std::string violation(std::string_view text) {
    REQUIRE_FALSE(json::check(text, json::Dialect::jsonc));
    auto found = compiled()->violation(json::View::of(text));
    return found ? json_schema::to_string(*found) : "";
}

std::string read(const fs::path& path) {
    std::ostringstream out;
    out << std::ifstream(path, std::ios::binary).rdbuf();
    return out.str();
}

std::vector<fs::path> files_below(const char* folder) {
    std::vector<fs::path> found;
    for (const auto& entry : fs::recursive_directory_iterator(source_dir() / folder))
        if (entry.is_regular_file()) found.push_back(entry.path());
    std::ranges::sort(found);
    return found;
}

bool is_workflow(const std::string& text) {
    if (json::check(text, json::Dialect::jsonc)) return false;
    json::View root = json::View::of(text);
    return root.is(json::Kind::object) && root.find("steps");
}

std::string violation_of_step(const std::string& members) {
    return violation("{\"steps\": [{\"name\": \"A\"" + members + "}]}");
}

std::string config_with_action(const std::string& action) {
    return violation_of_step(", \"action\": " + action);
}

}  // namespace

TEST_CASE("every example fits the schema of configs") {
    std::size_t count = 0;
    for (const fs::path& path : files_below("config-examples")) {
        if (path.filename() != "workflow.jsonc") continue;
        INFO(path.string());
        CHECK(violation(read(path)).empty());
        ++count;
    }
    CHECK(count >= 9);
}

// The fuzzers' corpus has configs of all sorts, good and bad ones.
TEST_CASE("whatever config is accepted fits the schema of configs") {
    std::size_t count = 0;
    for (const char* folder : {"test/fuzz/corpus", "test/e2e/cases", "config-examples"}) {
        for (const fs::path& path : files_below(folder)) {
            std::string text = read(path);
            if (!is_workflow(text)) continue;
            if (!config::load_text(text, "w", path.parent_path().string()).config) continue;
            INFO(path.string());
            CHECK(violation(text).empty());
            ++count;
        }
    }
    CHECK(count >= 10);
}

TEST_CASE("a config with everything in it fits the schema of configs") {
    CHECK(violation(R"({
  "$schema": "./config.schema.json", "entrypoint": "A",
  "options": {"timeout": 0.5, "max_retries": 2, "max_concurrency": 8, "retry_on_timeout": false,
              "retry_on_invalid_response": true, "retry_feedback": false, "lenient_response": true,
              "retry_backoff": {"initial": 1, "factor": 1.5, "max": 60, "jitter": 0.5}},
  "env": {"LANG": "C"},
  "steps": [
    {"name": "A", "value_schema": true, "next": ["B", "C"], "env": {"X": ""},
     "options": {"timeout": 9, "max_retries": 0, "retry_feedback": true, "lenient_response": false, "max_concurrency": 1, "priority": -5, "serial_key": "/a~1b/0"},
     "pre": {"kind": "Command", "script": "cat"}, "post": {"kind": "Command", "script": "cat"},
     "finally": {"kind": "Command", "script": "echo []"}, "action": {"kind": "Command", "script": "ls"}},
    {"name": "B", "value_schema": {"link": "b.json"}, "action": {"kind": "Pool", "instructions": "Do."}},
    {"name": "C", "value_schema": {"type": "object"},
     "action": {"kind": "Pool", "instructions": {"inline": "Do."}}},
    {"name": "D", "action": {"kind": "Pool", "instructions": {"link": "d.md"}}},
    {"name": "E", "action": {"kind": "Pool"}}
  ]})")
              .empty());
}

TEST_CASE("what is wrong in a config does not fit its schema") {
    const std::string good = R"({"kind": "Command", "script": "true"})";
    CHECK(config_with_action(good).empty());
    CHECK(violation("[]") == "expected object, found an array (schema: /type)");
    CHECK(violation("{}") == "missing member \"steps\" (schema: /required)");
    CHECK(violation(R"({"steps": []})") ==
          "at /steps: expected at least 1 item, found 0 (schema: "
          "/properties/steps/minItems)");
    CHECK(violation_of_step("") ==
          "at /steps/0: missing member \"action\" (schema: /definitions/step/required)");
    CHECK(violation_of_step(", \"nxt\": [], \"action\": " + good) ==
          "at /steps/0: not allowed: the member \"nxt\"");
    for (const char* members :
         {R"("next": "B")", R"("next": [1])", R"("next": ["B", "B"])", R"("pre": "cat")",
          R"("options": {"max_concurrency": 0})", R"("options": {"timeout": 0})",
          R"("options": {"priority": 1000001})", R"("options": {"serial_key": 1})", R"("env": {"A": 1})",
          R"("options": {"timeout": "1"})", R"("options": {"max_retries": 1.5})",
          R"("options": {"max_retries": -1})", R"("options": {"retry_on_timeout": 1})",
          R"("options": {"retry_backoff": {}})",
          R"("options": {"retry_backoff": {"initial": 1, "jitter": 2}})", R"("value_schema": "string")",
          R"("finally": {"kind": "Pool"})"}) {
        INFO(members);
        CHECK_FALSE(violation_of_step(", " + std::string(members) + ", \"action\": " + good).empty());
    }
    for (const char* action :
         {R"({"kind": "Shell"})", R"({"kind": "Command"})", R"({"kind": "Command", "script": " "})",
          R"({"kind": "Pool", "script": "x"})", R"({"kind": "Pool", "instructions": 7})",
          R"({"kind": "Pool", "instructions": {"inline": "a", "link": "b"}})", "7"}) {
        INFO(action);
        CHECK_FALSE(config_with_action(action).empty());
    }
    CHECK_FALSE(violation(R"({"steps": [{"name": "", "action": )" + good + "}]}").empty());
}

TEST_CASE("every field has a description that a person learns something from") {
    for (const config::ObjectType* type : config::object_types()) {
        CHECK(type->description.ends_with('.'));
        for (const config::Field& field : type->fields) {
            INFO(type->id << "." << field.name);
            auto words = std::ranges::count(field.description, ' ') + 1;
            CHECK(words >= 6);
            CHECK(field.description.ends_with('.'));
            auto same = [&](const config::Field& other) { return other.description == field.description; };
            CHECK(std::ranges::count_if(type->fields, same) == 1);
        }
    }
}

TEST_CASE("every object and its every field stands in the schema of configs") {
    std::string text = config::schema_document();
    json::View root = json::View::of(text);
    for (const config::ObjectType* type : config::object_types()) {
        INFO(type->id);
        bool is_root = type == &config::config_type;
        auto schema = is_root ? std::optional(root) : root.find("definitions")->find(type->id);
        REQUIRE(schema);
        for (const config::Field& field : type->fields) {
            auto property = schema->find("properties")->find(field.name);
            REQUIRE(property);
            CHECK(property->find("description")->is_string(field.description));
        }
    }
}
