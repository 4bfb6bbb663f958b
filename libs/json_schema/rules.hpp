// The keywords about a value by itself that valijson 1.0 gets wrong, or reports in too few words: type, enum,
// const, multipleOf, minimum and its kin, minLength, maxLength, pattern, format, required, uniqueItems,
// minItems and its kin. It truncates 2.5 to check that it is a multiple of 1, compares 64-bit integers as
// doubles, throws on a `format` that meets a number, overflows the stack when a `pattern` meets a long text,
// and takes the square of an array's length for `uniqueItems`. Inner part of json_schema/schema.
#pragma once

#include "json/json.hpp"

#include <boost/json/value.hpp>
#include <valijson/schema_parser.hpp>

#include <string>
#include <string_view>

namespace json_schema {

// The name under which valijson is told of a rule's keyword.
std::string rule_name(std::string_view keyword);

// The keyword's value as the rule wants it; `pointer` leads to it in the schema.
boost::json::value rule_value(json::View value, std::string_view pointer);

void add_rules(valijson::SchemaParser& parser);

// What a rule has reported to valijson, which has no more than one text for it.
struct RuleFailure {
    std::string message;
    std::string schema_pointer;  // empty if it was no rule
};
RuleFailure split_failure(const std::string& description);

}  // namespace json_schema
