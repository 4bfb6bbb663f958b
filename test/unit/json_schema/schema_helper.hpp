// Schemas as text, and what becomes of values under them.
#pragma once

#include "json_schema/schema.hpp"

#include <catch2/catch.hpp>

#include <memory>
#include <string>
#include <string_view>

namespace json_schema_test {

using json_schema::Schema;

inline json::View view(std::string_view text) {
    REQUIRE_FALSE(json::check(text, json::Dialect::jsonc).has_value());
    return json::View::of(text);
}

inline std::shared_ptr<const Schema> compiled(std::string_view text) {
    auto schema = Schema::compile(view(text));
    INFO(text << (schema.has_error() ? schema.error().message : ""));
    REQUIRE(schema.has_value());
    return *schema;
}

// "" if the value satisfies the schema.
inline std::string violation(std::string_view schema, std::string_view value) {
    auto found = compiled(schema)->violation(view(value));
    if (!found) return "";
    found->schema_pointer.clear();
    return json_schema::to_string(*found);
}

inline bool fits(std::string_view schema, std::string_view value) {
    return violation(schema, value).empty();
}

// The schema's problems, a line each; compile() must fail with the first, and succeed if there is none.
inline std::string problems(std::string_view text) {
    std::string out;
    for (const auto& problem : json_schema::check_schema(view(text)))
        out += problem.message + "\n";
    auto schema = Schema::compile(view(text));
    CHECK(schema.has_value() == out.empty());
    if (schema.has_error()) CHECK_THAT(out, Catch::StartsWith(schema.error().message + "\n"));
    return out;
}

inline std::string repeat(std::string_view piece, std::size_t times) {
    std::string out;
    for (std::size_t i = 0; i < times; ++i)
        out += piece;
    return out;
}

}  // namespace json_schema_test
