#include "config/response_schema.hpp"

#include "config/response.hpp"
#include "json/json.hpp"
#include "json_schema/sample.hpp"
#include "json_schema/schema.hpp"
#include "load_helper.hpp"
#include "source_dir.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

namespace {

using Texts = std::vector<std::string>;

config::WorkflowConfig with_schemas(const Texts& schemas) {
    std::string next;
    std::string steps;
    for (std::size_t i = 0; i < schemas.size(); ++i) {
        std::string name = "\"S" + std::to_string(i) + "\"";
        next += (i > 0 ? "," : "") + name;
        steps += R"(,{"name":)" + name + R"(,"action":{"kind":"Pool"},"value_schema":)" + schemas[i] + "}";
    }
    return config_test::good(config_test::load(
        R"({"entrypoint":"Start","steps":[{"name":"Start","action":{"kind":"Pool"},"next":[)" + next + "]}" +
        steps + "]}"));
}

std::string task(const std::string& kind, const std::string& value) {
    return "{\"kind\":" + json::quote(kind) + ",\"value\":" + value + "}";
}

// Values that fit some schema of the config, and values that fit few.
Texts values(const config::WorkflowConfig& config) {
    Texts values{"null", "0", "-1.5", "1e3", "\"\"", "\"x\"", "[]", "[1,\"a\"]", "{}", R"({"a":[[]]})"};
    for (const config::Step& step : config.steps)
        for (std::size_t variation = 0; step.value_schema && variation < 4; ++variation)
            if (auto value = json_schema::sample_value(*step.value_schema, variation))
                values.push_back(*value);
    return values;
}

Texts responses(const config::WorkflowConfig& config) {
    Texts responses{"[]", "{}", "null", "[1]", "[[]]", "[{}]", R"([{"kind":"Nobody","value":1}])", "\"\""};
    for (const config::Step& step : config.steps) {
        responses.push_back("[{\"kind\":" + json::quote(step.name) + "}]");
        for (const std::string& value : values(config)) {
            responses.push_back("[" + task(step.name, value) + "]");
            responses.push_back("[" + task(step.name, value) + "," + task(config.steps[0].name, "{}") + "]");
            responses.push_back("[{\"more\":1," + task(step.name, value).substr(1) + "]");
            responses.push_back("[{\"value\":" + value + "}]");
        }
    }
    return responses;
}

// The schema and parse_response() accept the same responses. Returns how many.
int check_agreement(const config::WorkflowConfig& config) {
    int accepted = 0;
    for (const config::Step& step : config.steps) {
        std::string text = config::response_schema(config, step);
        INFO(text);
        REQUIRE_FALSE(json::check(text));
        auto schema = json_schema::Schema::compile(json::View::of(text));
        REQUIRE(schema.has_value());
        for (const std::string& response : responses(config)) {
            INFO(step.name << ": " << response);
            bool is_valid = config::parse_response(config, step, response).has_value();
            CHECK(is_valid == !(*schema)->violation(json::View::of(response)));
            accepted += is_valid ? 1 : 0;
        }
    }
    return accepted;
}

}  // namespace

TEST_CASE("the schema of a response lists the tasks of the next steps") {
    auto config = config_test::good(config_test::load(R"({"entrypoint":"Start","steps":[
        {"name":"Start","action":{"kind":"Pool"},"next":["No\"te","End"]},
        {"name":"No\"te","action":{"kind":"Pool"},"value_schema":{"type": "string"}},
        {"name":"End","action":{"kind":"Pool"}}]})"));
    CHECK(
        config::response_schema(config, config.steps[0]) ==
        R"({"type":"array","items":{"anyOf":[)"
        R"({"type":"object","required":["kind","value"],"additionalProperties":false,"properties":{"kind":{"const":"No\"te"},"value":{"type":"string"}}},)"
        R"({"type":"object","required":["kind","value"],"additionalProperties":false,"properties":{"kind":{"const":"End"},"value":{}}}]}})");
    CHECK(config::response_schema(config, config.steps[1]) == R"({"type":"array","maxItems":0})");
}

TEST_CASE("the schema of a response accepts what the runner accepts: the examples") {
    for (const char* name : {"hooks", "error-recovery", "fan-out-finally", "branching", "quickstart",
                             "code-review", "linear-pipeline", "adversarial-review", "sequential"}) {
        INFO(name);
        std::string path = source_dir() / "config-examples" / name / "workflow.jsonc";
        CHECK(check_agreement(config_test::good(config::load(path))) > 0);
    }
}

TEST_CASE("the schema of a response accepts what the runner accepts: references, drafts, generated schemas") {
    Texts schemas{
        R"({"type":"array","items":{"$ref":"#"}})",
        R"({"$ref":"#/definitions/x","definitions":{"x":{"type":"object","additionalProperties":{"$ref":"#"}}}})",
        R"({"$id":"https://x/y","anyOf":[{"$ref":"#z"},{"type":"null"}],"$defs":{"q":{"$anchor":"z","type":"integer"}}})",
        R"({"$schema":"http://json-schema.org/draft-04/schema#","id":"http://x","type":"object","required":["a"]})",
        R"({"$schema":"https://json-schema.org/draft/2020-12/schema","prefixItems":[{"type":"integer"}],"items":false,"type":"array"})",
        R"({"$schema":"http://json-schema.org/draft-07/schema#","items":[{"type":"integer"}],"additionalItems":false})",
        "false",
        "true"};
    CHECK(check_agreement(with_schemas(schemas)) > 0);
    for (const char* name : {"pydantic_order", "pydantic_shapes", "zod_category", "zod_review"}) {
        std::string path = source_dir() / "test/unit/json_schema/data" / (name + std::string(".json"));
        INFO(path);
        CHECK(check_agreement(with_schemas({R"({"link":")" + path + "\"}"})) > 0);
    }
}

TEST_CASE(
    "a value whose schema cannot be moved may be anything, as far as the schema of the response tells") {
    auto config = with_schemas(
        {R"({"$schema":"http://json-schema.org/draft-04/schema#","minimum":1,"exclusiveMinimum":true})"});
    CHECK(config::response_schema(config, config.steps[0]) ==
          R"({"type":"array","items":{"anyOf":[{"type":"object","required":["kind","value"],)"
          R"("additionalProperties":false,"properties":{"kind":{"const":"S0"},"value":{}}}]}})");
}
