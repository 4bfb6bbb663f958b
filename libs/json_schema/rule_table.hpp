// The check of each keyword that json_schema/rules implements. Internal to json_schema/rules.
#pragma once

#include <boost/json/value.hpp>

#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace json_schema {

// Returns "" if the value satisfies the rule, otherwise what was expected and what was found.
using Rule = std::function<std::string(const boost::json::value&)>;

struct RuleEntry {
    std::string_view keyword;
    // `value` is the value of the keyword, `text` the same as compact JSON.
    Rule (*make)(const boost::json::value& value, const std::string& text);
};

std::span<const RuleEntry> rule_table();

}  // namespace json_schema
