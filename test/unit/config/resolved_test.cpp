#include "json/json.hpp"
#include "json_schema/schema.hpp"
#include "load_helper.hpp"

namespace {

using namespace config_test;
using config::WorkflowConfig;

std::string script(const std::optional<config::Command>& hook) {
    return hook ? "do " + hook->script : "none";
}

// Everything that there is to one backoff, or to one step, as text to compare.
std::string text_of(const std::optional<config::RetryBackoff>& backoff) {
    if (!backoff) return "none";
    return std::to_string(backoff->initial.count()) + " " + std::to_string(backoff->factor) + " " +
           (backoff->max ? std::to_string(backoff->max->count()) : "none") + " " +
           std::to_string(backoff->jitter);
}

void check_equal(const config::StepOptions& a, const config::StepOptions& b) {
    CHECK(a.timeout == b.timeout);
    CHECK(a.timeout_text == b.timeout_text);
    CHECK(a.max_retries == b.max_retries);
    CHECK(a.retry_on_timeout == b.retry_on_timeout);
    CHECK(a.retry_on_invalid_response == b.retry_on_invalid_response);
    CHECK(text_of(a.retry_backoff) == text_of(b.retry_backoff));
    CHECK(a.max_concurrency == b.max_concurrency);
    CHECK(a.priority == b.priority);
    REQUIRE(a.serial_key.has_value() == b.serial_key.has_value());
    if (a.serial_key) CHECK(a.serial_key->tokens == b.serial_key->tokens);
    CHECK(a.retry_feedback == b.retry_feedback);
    CHECK(a.lenient_response == b.lenient_response);
}

void check_equal(const config::Step& a, const config::Step& b) {
    INFO(a.name);
    CHECK(a.name == b.name);
    CHECK((a.value_schema ? a.value_schema->text() : "any") ==
          (b.value_schema ? b.value_schema->text() : "any"));
    CHECK(script(a.pre) == script(b.pre));
    CHECK(script(a.post) == script(b.post));
    CHECK(script(a.finally) == script(b.finally));
    REQUIRE(a.is_pool() == b.is_pool());
    if (a.is_pool()) {
        CHECK(std::get<config::PoolAction>(a.action).instructions ==
              std::get<config::PoolAction>(b.action).instructions);
    } else {
        CHECK(std::get<config::Command>(a.action).script == std::get<config::Command>(b.action).script);
    }
    CHECK(a.next == b.next);
    CHECK(a.env == b.env);
    CHECK(a.pool_instructions == b.pool_instructions);
    check_equal(a.options, b.options);
}

void check_equal(const WorkflowConfig& a, const WorkflowConfig& b) {
    CHECK(a.entrypoint == b.entrypoint);
    CHECK(a.max_concurrency == b.max_concurrency);
    CHECK(a.by_name == b.by_name);
    CHECK(a.directory == b.directory);
    CHECK(a.resolved == b.resolved);
    REQUIRE(a.steps.size() == b.steps.size());
    for (std::size_t i = 0; i < a.steps.size(); ++i)
        check_equal(a.steps[i], b.steps[i]);
}

// The resolved text of a config whose links lead into `directory`. It is strict JSON on one line, and its own
// resolved text; loaded where there are no files, it gives the same config.
std::string resolve(const std::string& text, const std::string& directory) {
    auto config = good(config::load_text(text, "w.jsonc", directory));
    CHECK_FALSE(json::check(config.resolved));
    CHECK(json::compact(json::View::of(config.resolved)) == config.resolved);
    auto again = good(config::load_text(config.resolved, "again", "/nowhere"));
    again.directory = directory;
    check_equal(config, again);
    return config.resolved;
}

std::string with_instructions(const std::string& instructions) {
    return R"({"steps":[{"name":"A","action":{"kind":"Pool","instructions":)" + instructions + "}}]}";
}

std::string with_schema(const std::string& schema) {
    return R"({"steps":[{"name":"A","value_schema":)" + schema + R"(,"action":{"kind":"Pool"}}]})";
}

std::string nested_schema(std::size_t depth) {
    return R"({"const":)" + std::string(depth - 1, '[') + std::string(depth - 1, ']') + "}";
}

}  // namespace

TEST_CASE("a config without links resolves to itself, made compact") {
    CHECK(resolve(R"(// first
{ "steps": [ { "name": "A", /* c */ "action": { "kind": "Pool", }, }, ], } // last)",
                  "/nowhere") == R"({"steps":[{"name":"A","action":{"kind":"Pool"}}]})");
    CHECK(resolve(with_instructions(R"("Do\u0020it, \"now\".")"), "/nowhere") ==
          with_instructions(R"("Do\u0020it, \"now\".")"));
    CHECK(resolve(with_instructions(R"({ "inline": "Do it." })"), "/nowhere") ==
          with_instructions(R"({"inline":"Do it."})"));
}

TEST_CASE("numbers, strings and the order of keys stay as they were written") {
    std::string text =
        R"({"options":{"timeout":1e3,"max_retries":1,"retry_backoff":{"jitter":1.0,"initial":0.50}},)"
        R"("steps":[{"options":{"timeout":1.0},"name":"\u0041","value_schema":{"minimum":1.00,)"
        R"("enum":[123456789012345678901234567890,1E-2]},"action":{"script":"\u0065cho \/",)"
        R"("kind":"Command"}}],"$schema":"./s.json","entrypoint":"A"})";
    CHECK(resolve(text, "/nowhere") == text);
}

TEST_CASE("the order of tasks and the variables stay as they were written") {
    std::string text =
        R"({"env":{"B":"","A":"x\u0061"},"steps":[{"name":"A","env":{"A":"own"},"options":{"priority":-7,)"
        R"("serial_key":"/a~1b","max_concurrency":1},"action":{"kind":"Pool"}}]})";
    CHECK(resolve(text, "/nowhere") == text);
}

TEST_CASE("links of both kinds are read into the resolved text, in whatever order and step they stand") {
    TempDirectory directory;
    directory.write("a.md", "Do A.\n");
    directory.write("b.md", "Do B.");
    directory.write("s.json",
                    "// any\n{ \"type\": [\"string\", /* or */ \"null\",], \"minimum\": 1.0, } // so\n");
    directory.write("t.json", "true");
    // The second step's action comes before its schema, and "t.json" is linked twice.
    auto resolved = resolve(R"({"steps": [
      {"name": "A", "value_schema": {"link": "s.json"},
       "action": {"kind": "Pool", "instructions": {"link": "a.md"}}, "next": ["B"]},
      {"action": {"instructions": {"link": "./b.md"}, "kind": "Pool"}, "name": "B", "value_schema": {"link": "t.json"}},
      {"name": "C", "value_schema": {"link": "t.json"}, "action": {"kind": "Command", "script": "{\"link\": \"x\"}"}},
    ]})",
                            directory.path());
    CHECK(resolved ==
          R"({"steps":[{"name":"A","value_schema":{"type":["string","null"],"minimum":1.0},)"
          R"("action":{"kind":"Pool","instructions":{"inline":"Do A.\n"}},"next":["B"]},)"
          R"({"action":{"instructions":{"inline":"Do B."},"kind":"Pool"},"name":"B","value_schema":true},)"
          R"({"name":"C","value_schema":true,"action":{"kind":"Command","script":"{\"link\": \"x\"}"}}]})");
}

TEST_CASE("comments and trailing commas around and inside of a link go with it") {
    TempDirectory directory;
    directory.write("a.md", "Do it.");
    directory.write("s.json", "{}");
    CHECK(resolve(with_instructions("/* { */ {/*\"*/ \"link\" // }\n : /**/ \"a.md\" , // x\n } // \"\n"),
                  directory.path()) == with_instructions(R"({"inline":"Do it."})"));
    CHECK(resolve("// {\"link\": \"a.md\"}\n" + with_schema("/* { */ { \"link\": \"s.json\", /* } */ } /**/"),
                  directory.path()) == with_schema("{}"));
}

TEST_CASE("a link may be written with escapes") {
    TempDirectory directory;
    directory.write("a.md", "Do it.");
    directory.write("s.json", "{}");
    CHECK(resolve(with_instructions(R"({"lin\u006b": "a\u002emd"})"), directory.path()) ==
          with_instructions(R"({"inline":"Do it."})"));
    CHECK(resolve(with_schema(R"({"\u006cink": "s.js\u006fn"})"), directory.path()) == with_schema("{}"));
}

TEST_CASE("instructions of any text come back from the resolved text") {
    TempDirectory directory;
    std::string text =
        "\"Do\" it\\:\r\n\t\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80\x7F\x01 /* no // comment */ ,}";
    text += '\0';
    directory.write("a.md", text);
    directory.write("empty.md", "");
    CHECK(resolve(with_instructions(R"({"link": "a.md"})"), directory.path()) ==
          with_instructions("{\"inline\":\"\\\"Do\\\" it\\\\:\\r\\n\\t\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80"
                            "\x7F\\u0001 /* no // comment */ ,}\\u0000\"}"));
    CHECK(resolve(with_instructions(R"({"link": "empty.md"})"), directory.path()) ==
          with_instructions(R"({"inline":""})"));
}

TEST_CASE("references inside of a linked schema hold in the resolved text") {
    TempDirectory directory;
    directory.write(
        "s.json",
        R"({ "definitions": { "n": { "type": "integer" } }, "items": { "$ref": "#/definitions/n" } })");
    auto resolved = resolve(with_schema(R"({"link": "s.json"})"), directory.path());
    auto config = good(config::load_text(resolved, "again", "/nowhere"));
    CHECK_FALSE(config.steps[0].value_schema->violation(json::View::of("[1]")));
    CHECK(config.steps[0].value_schema->violation(json::View::of("[true]")));
}

TEST_CASE("a linked schema is nested as deep at most as it could be in the config itself") {
    TempDirectory directory;
    std::string text = with_schema(R"({"link": "s.json"})");
    std::size_t deepest = json::max_depth - 3;
    directory.write("s.json", nested_schema(deepest));
    CHECK(resolve(text, directory.path()) == with_schema(nested_schema(deepest)));
    std::string path = directory.write("s.json", nested_schema(deepest + 1));
    CHECK(problems(config::load_text(text, "w.jsonc", directory.path())) ==
          path +
              ":1:1: error: nested too deep: inside the config there would be more than 512 "
              "levels of arrays and objects\n");
}
