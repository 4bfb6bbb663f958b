// Keywords that are checked here because valijson 1.0 checks them wrongly or reports failures too vaguely:
// type, enum, const, multipleOf, minimum and the like, minLength, maxLength, pattern, format, required,
// uniqueItems, minItems and the like. valijson truncates 2.5 before it checks for a multiple of 1, compares
// 64-bit integers as doubles, throws if a `format` is applied to a number, overflows the stack if a `pattern`
// is applied to a long text, and needs quadratic time for `uniqueItems`. Internal to json_schema/schema.
#pragma once

#include "json/json.hpp"

#include <boost/json/value.hpp>
#include <valijson/schema_parser.hpp>

#include <string>
#include <string_view>

namespace json_schema {

// The name under which the keyword's rule is registered with valijson.
std::string rule_name(std::string_view keyword);

// The keyword's value in the form that the rule expects; `pointer` is the keyword's place in the schema.
boost::json::value rule_value(json::View value, std::string_view pointer);

void add_rules(valijson::SchemaParser& parser);

// A failure of a rule, decoded from the single text that valijson reports for it.
struct RuleFailure {
    std::string message;
    std::string schema_pointer;  // empty if the failure is not from a rule
};
RuleFailure split_failure(const std::string& description);

}  // namespace json_schema
