// A value_schema, compiled once (valijson) and used for every value. Thread-unsafe; no I/O.
#pragma once

#include "base/error.hpp"
#include "json/json.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace json_schema {

struct SchemaOutline;  // json_schema/outline.hpp

// Something in a schema that cannot be checked: an unknown draft, a keyword that the validator does not know,
// a $ref that it cannot follow, a value that a keyword cannot have, more than 16 schemas within each other
// (allOf, not, $ref, …) for one and the same value.
struct SchemaProblem {
    json::View where;     // the offending token
    std::string message;  // names the keyword, and its place as a JSON pointer
};

// All of them. `schema` is checked JSON or JSONC.
std::vector<SchemaProblem> check_schema(json::View schema);

// What a value has wrong.
struct Violation {
    std::vector<std::string> path;  // to the part that is wrong: names of members, indices of items
    std::string message;            // what was expected there, and what was found
    std::string schema_pointer;  // JSON pointer to the keyword that is not satisfied: "/properties/a/type";
                                 // empty where it is not known
};

// On one line: "at /a: expected string, found an integer (schema: /properties/a/type)"
std::string to_string(const Violation& violation);

// draft-04, -06 and -07, 2019-09 and 2020-12 as far as draft-07 can say the same; without "$schema" the words
// of all of them (docs/config.md). Whole numbers that fit 64 bits are compared exactly, others as
// doubles; 1.0 is an integer, and so is one of 30 digits. A `format` that is not known is an annotation
// (json_schema/unchecked.hpp).
class Schema {
  public:
    // `schema` is checked JSON or JSONC. The error is the first of check_schema().
    static base::Result<std::shared_ptr<const Schema>> compile(json::View schema);

    // One subschema by itself, with what it refers to. `part` is a subschema of the outline, which has no
    // problems.
    static base::Result<std::shared_ptr<const Schema>> compile_part(const SchemaOutline& outline,
                                                                    json::View part);

    ~Schema();
    Schema(const Schema&) = delete;
    Schema& operator=(const Schema&) = delete;

    // Nothing if the value satisfies the schema; else the first violation.
    std::optional<Violation> violation(json::View value) const;

    const std::string& text() const { return text_; }  // compact JSON

  private:
    struct Compiled;
    Schema(std::string text, std::unique_ptr<Compiled> compiled);

    std::string text_;
    std::unique_ptr<Compiled> compiled_;
};

}  // namespace json_schema
