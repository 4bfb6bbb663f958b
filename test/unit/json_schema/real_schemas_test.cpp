// Schemas as zod 4 (z.toJSONSchema) and pydantic 2 (model_json_schema) print them.
#include "json_schema/sample.hpp"
#include "json_schema/unchecked.hpp"
#include "schema_helper.hpp"
#include "source_dir.hpp"

#include <fstream>
#include <sstream>
#include <vector>

using namespace json_schema_test;

namespace {

std::string schema_of(const std::string& name) {
    std::ifstream file(source_dir() / "test/unit/json_schema/data" / (name + ".json"));
    REQUIRE(file);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

// The value with one text in it replaced.
std::string with(std::string value, const std::string& old, const std::string& by) {
    std::size_t at = value.find(old);
    REQUIRE(at != std::string::npos);
    return value.replace(at, old.size(), by);
}

struct Change {
    const char* old;
    const char* by;
    const char* violation;
};

void check_changes(const std::string& schema, const std::string& good, const std::vector<Change>& changes) {
    CHECK(violation(schema, good).empty());
    for (const Change& change : changes) {
        INFO(change.old << " -> " << change.by);
        std::string found = violation(schema, with(good, change.old, change.by));
        CHECK_FALSE(found.empty());
        CHECK_THAT(found, Catch::StartsWith(change.violation));
    }
}

}  // namespace

TEST_CASE("an object of zod, with a union, a tuple, a record and formats") {
    check_changes(schema_of("zod_review"),
                  R"({"reviewer": "joe@example.com", "change": "https://example.com/change/1",
            "at": "2026-01-31T12:00:00Z", "draft": false, "assignee": null, "labels": {"a": "b"},
            "worst": {"id": "98d80576-482e-427f-8434-7f86890ab222", "line": 7, "severity": "low"},
            "findings": [], "verdict": {"kind": "reject", "reasons": ["long"]}, "lines": [1, "a", true]})",
                  {{"joe@example.com", "joe", "at /reviewer: "},
                   {"https://example.com", "example.com", "at /change: expected a URI"},
                   {"2026-01-31", "2026-02-31", "at /at: "},
                   {"98d80576", "98d8057", "at /worst/id: "},
                   {"\"line\": 7", "\"line\": 0", "at /worst/line: expected more than 0"},
                   {"\"low\"", "\"none\"", "at /worst/severity: expected one of"},
                   {", \"reasons\": [\"long\"]", "", "at /verdict"},
                   {"\"a\": \"b\"", "\"a\": 1", "at /labels/a: expected string"},
                   {"[1, \"a\", true]", "[1, 2]", "at /lines/1: expected string"},
                   {"[1, \"a\", true]", "[1, \"a\", 2]", "at /lines/2: expected boolean"},
                   {"\"draft\": false", "\"drft\": false", ""}});
}

TEST_CASE("an object of zod that contains itself") {
    check_changes(schema_of("zod_category"),
                  R"({"name": "a", "host": "192.0.2.1", "parent": {"name": "b", "subcategories": []},
                      "subcategories": [{"name": "c", "subcategories": [], "parent": null}],
                      "extra": {"slug": "x-y", "next": {"next": {}}}})",
                  {{"192.0.2.1", "192.0.2.256", "at /host: "},
                   {"\"name\": \"c\"", "\"name\": \"\"", "at /subcategories/0/name: "},
                   {"\"name\": \"b\"", "\"nam\": \"b\"", "at /parent"},
                   {"x-y", "X", "at /extra/slug: "},
                   {"{\"next\": {}}", "{\"next\": 1}", "at /extra/next/next: "}});
}

TEST_CASE("a model of pydantic, with models, optional members, enums and formats") {
    check_changes(schema_of("pydantic_order"), R"({"id": "98d80576-482e-427f-8434-7f86890ab222",
            "customer": "joe@example.com", "site": "https://example.com", "placed": "2026-01-31T12:00:00+01:00",
            "due": null, "patience": "PT15M", "status": "paid", "to": {"street": "Long"}, "channel": "web",
            "items": [{"sku": "AB-1", "price": 1.5, "size": [1, 2.5, "cm"]}], "tags": ["a", "b"],
            "prices": {"open": 3}})",
                  {{"\"due\": null", "\"due\": \"soon\"", "at /due: expected a date"},
                   {"PT15M", "15 minutes", "at /patience: expected a duration"},
                   {"\"paid\"", "\"lost\"", "at /status: expected one of"},
                   {"\"street\"", "\"stret\"", "at /to: missing member"},
                   {"[1, 2.5, \"cm\"]", "[1, 2.5]", "at /items/0/size: expected at least 3 items"},
                   {"[1, 2.5, \"cm\"]", "[1, 2.5, 3]", "at /items/0/size/2: expected string"},
                   {"\"price\": 1.5", "\"price\": 1.5, \"x\": 1", "at /items/0: not allowed"},
                   {"[\"a\", \"b\"]", "[\"a\", \"a\"]", "at /tags: expected no item twice"},
                   {"\"web\"", "\"shop\"", "at /channel: expected \"web\""},
                   {"https://example.com", "example.com", "at /site: expected a URI"}});
    CHECK_FALSE(fits(schema_of("pydantic_order"), "{}"));
}

TEST_CASE("a union of models of pydantic, told apart by a member, one of them recursive") {
    const std::string schema = schema_of("pydantic_shapes");
    check_changes(
        schema,
        R"({"shape": {"kind": "group", "members": [{"kind": "circle", "radius": 1},
                      {"kind": "group", "members": []}]}, "file": "a/b"})",
        {{"\"radius\": 1", "\"radius\": 0", "at /shape"}, {"\"circle\"", "\"square\"", "at /shape"}});
    CHECK(json_schema::unchecked(*compiled(schema)) ==
          std::vector<std::string>{
              "/properties/file/format is \"path\", which is not checked; use a \"pattern\" to check it",
              "/properties/token/format is \"password\", which is not checked; use a \"pattern\" to check it",
              "/properties/settings/contentMediaType is not checked",
              "/properties/settings/contentSchema is not checked"});
}

TEST_CASE("a value can be made up for each of them") {
    for (auto name : {"zod_review", "zod_category", "pydantic_order", "pydantic_shapes"}) {
        auto schema = compiled(schema_of(name));
        for (std::size_t variation : {0U, 1U, 5U}) {
            auto value = json_schema::sample_value(*schema, variation);
            INFO(name << (value ? *value : value.error().message));
            REQUIRE(value.has_value());
            CHECK_FALSE(schema->violation(view(*value)).has_value());
        }
    }
}
