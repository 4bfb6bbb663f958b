// A value_schema, compiled once (with valijson) and used for every value. Not thread-safe; no I/O.
#pragma once

#include "base/error.hpp"
#include "json/json.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace json_schema {

struct SchemaOutline;  // json_schema/outline.hpp

// A part of a schema that cannot be checked: an unsupported draft, an unknown keyword, a $ref that cannot be
// followed, an invalid value of a keyword, or a chain of more than 16 schemas (allOf, not, $ref, …) for the
// same value.
struct SchemaProblem {
    json::View where;     // the token with the problem
    std::string message;  // names the keyword, and its place as a JSON pointer
};

// All problems. `schema` is checked JSON or JSONC.
std::vector<SchemaProblem> check_schema(json::View schema);

// Why a value does not satisfy a schema.
struct Violation {
    std::vector<std::string> path;  // to the part that is wrong: names of members, indices of items
    std::string message;            // what was expected there, and what was found
    std::string schema_pointer;  // JSON pointer to the keyword that is not satisfied: "/properties/a/type";
                                 // empty where it is not known
};

// The violation on one line: "at /a: expected string, found an integer (schema: /properties/a/type)"
std::string to_string(const Violation& violation);

// Supports draft-04, -06 and -07, and 2019-09 and 2020-12 except for keywords that draft-07 cannot express;
// without "$schema", the keywords of all of them (docs/config.md). Integers that fit 64 bits are compared
// exactly, other numbers as doubles; 1.0 and integers of 30 digits are integers. An unknown `format` is an
// annotation (json_schema/unchecked.hpp).
class Schema {
  public:
    // `schema` is checked JSON or JSONC. The error is the first one of check_schema().
    static base::Result<std::shared_ptr<const Schema>> compile(json::View schema);

    // Compiles one subschema together with those that it refers to. `part` is a subschema of the outline,
    // which has no problems.
    static base::Result<std::shared_ptr<const Schema>> compile_part(const SchemaOutline& outline,
                                                                    json::View part);

    ~Schema();
    Schema(const Schema&) = delete;
    Schema& operator=(const Schema&) = delete;

    // Empty if the value satisfies the schema; otherwise the first violation.
    std::optional<Violation> violation(json::View view) const;

    const std::string& text() const { return text_; }  // compact JSON

  private:
    struct Compiled;
    Schema(std::string text, std::unique_ptr<Compiled> compiled);

    std::string text_;
    std::unique_ptr<Compiled> compiled_;
};

}  // namespace json_schema
