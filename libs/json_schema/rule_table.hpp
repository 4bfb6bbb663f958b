// What each keyword that is a rule asks of a value by itself. Inner part of json_schema/rules.
#pragma once

#include <boost/json/value.hpp>

#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace json_schema {

// "" if the value satisfies the rule, else what was expected and what is there.
using Rule = std::function<std::string(const boost::json::value&)>;

struct RuleEntry {
    std::string_view keyword;
    // `value` is the keyword's, `text` the same as compact JSON.
    Rule (*make)(const boost::json::value& value, const std::string& text);
};

std::span<const RuleEntry> rule_table();

}  // namespace json_schema
