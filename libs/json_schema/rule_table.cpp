#include "json_schema/rule_table.hpp"

#include "base/text.hpp"
#include "json/suggest.hpp"
#include "json/utf8.hpp"
#include "json_schema/decimal.hpp"
#include "json_schema/formats.hpp"
#include "json_schema/pattern.hpp"
#include "json_schema/value.hpp"

#include <algorithm>
#include <cmath>
#include <compare>
#include <limits>
#include <optional>
#include <unordered_set>
#include <vector>

namespace json_schema {

namespace {

using Value = boost::json::value;

std::string expected(std::string_view what, const Value& found) {
    return base::concat("expected ", what, ", found ", kind_name(found));
}

struct Type {
    std::string_view name;
    bool (*has)(const Value&);
};

constexpr Type known_types[] = {
    {"null", [](const Value& value) { return value.is_null(); }},
    {"boolean", [](const Value& value) { return value.is_bool(); }},
    {"integer", is_integer},
    {"number", is_number},
    {"string", [](const Value& value) { return value.is_string(); }},
    {"array", [](const Value& value) { return value.is_array(); }},
    {"object", [](const Value& value) { return value.is_object(); }},
};

Type type_named(const Value& name) {
    return *std::ranges::find(known_types, text_of(name), &Type::name);
}

Rule type_rule(const Value& keyword, const std::string&) {
    std::vector<Type> types;
    if (keyword.is_string()) {
        types.push_back(type_named(keyword));
    } else {
        std::ranges::transform(keyword.get_array(), std::back_inserter(types), type_named);
    }
    return [types](const Value& value) -> std::string {
        if (std::ranges::any_of(types, [&](const Type& type) { return type.has(value); })) return "";
        std::string names;
        for (const Type& type : types)
            names.append(names.empty() ? "" : " or ").append(type.name);
        return expected(names, value);
    };
}

Rule enum_rule(const Value& keyword, const std::string& text) {
    return [values = keyword.get_array(), text](const Value& value) -> std::string {
        if (std::ranges::find(values, value) != values.end()) return "";
        return base::concat("expected one of ", text);
    };
}

Rule const_rule(const Value& keyword, const std::string& text) {
    return [keyword, text](const Value& value) -> std::string {
        return value == keyword ? "" : base::concat("expected ", text);
    };
}

Rule multiple_of_rule(const Value& keyword, const std::string& text) {
    return [divisor = decimal_of(keyword), text](const Value& value) -> std::string {
        if (!is_number(value) || is_multiple(decimal_of(value), divisor)) return "";
        return base::concat("expected a multiple of ", text);
    };
}

Rule length_rule(const Value& keyword, const char* limit, bool (*fits)(std::size_t, std::size_t)) {
    auto wanted = static_cast<std::size_t>(keyword.get_int64());
    return [wanted, limit, fits](const Value& value) -> std::string {
        if (!value.is_string()) return "";
        std::size_t length = json::utf8::code_points(text_of(value));
        if (fits(length, wanted)) return "";
        return base::concat("expected ", limit, " ", base::counted(wanted, "character"), ", found ", length);
    };
}

Rule min_length_rule(const Value& keyword, const std::string&) {
    return length_rule(keyword, "at least",
                       [](std::size_t length, std::size_t wanted) { return length >= wanted; });
}

Rule max_length_rule(const Value& keyword, const std::string&) {
    return length_rule(keyword, "at most",
                       [](std::size_t length, std::size_t wanted) { return length <= wanted; });
}

// Compares integers of 64 bits exactly, and others as doubles.
std::partial_ordering compare(const Value& a, const Value& b) {
    if (a.is_int64() && b.is_int64()) return a.get_int64() <=> b.get_int64();
    return to_double(a) <=> to_double(b);
}

Rule limit_rule(const Value& limit, const std::string& expectation, bool (*fits)(std::partial_ordering)) {
    return [limit, expectation, fits](const Value& value) -> std::string {
        return !is_number(value) || fits(compare(value, limit)) ? "" : expectation;
    };
}

Rule minimum_rule(const Value& limit, const std::string& text) {
    return limit_rule(limit, base::concat("expected ", text, " or more"), std::is_gteq);
}

Rule maximum_rule(const Value& limit, const std::string& text) {
    return limit_rule(limit, base::concat("expected ", text, " or less"), std::is_lteq);
}

Rule exclusive_minimum_rule(const Value& limit, const std::string& text) {
    return limit_rule(limit, base::concat("expected more than ", text), std::is_gt);
}

Rule exclusive_maximum_rule(const Value& limit, const std::string& text) {
    return limit_rule(limit, base::concat("expected less than ", text), std::is_lt);
}

Rule pattern_rule(const Value& keyword, const std::string& text) {
    Pattern pattern = Pattern::compile(text_of(keyword)).value();
    return [pattern, text](const Value& value) -> std::string {
        if (!value.is_string()) return "";
        auto found = pattern.found_in(text_of(value));
        if (found.has_error()) return found.error().message;
        return *found ? "" : base::concat("expected a string that matches the pattern ", text);
    };
}

Rule format_rule(const Value& keyword, const std::string&) {
    const Format* format = find_format(text_of(keyword));
    return [format](const Value& value) -> std::string {
        if (!value.is_string() || format->fits(text_of(value))) return "";
        return base::concat("expected ", format->expectation);
    };
}

Rule unique_items_rule(const Value& keyword, const std::string&) {
    return [wanted = keyword.get_bool()](const Value& value) -> std::string {
        if (!wanted || !value.is_array()) return "";
        auto hash = [](const Value* item) { return std::hash<Value>()(*item); };
        auto equal = [](const Value* a, const Value* b) { return *a == *b; };
        std::unordered_set<const Value*, decltype(hash), decltype(equal)> seen;
        const auto& items = value.get_array();
        for (std::size_t i = 0; i < items.size(); ++i) {
            if (!seen.insert(&items[i]).second)
                return base::concat("expected no item twice, but item ", i, " is a repetition");
        }
        return "";
    };
}

Rule required_rule(const Value& keyword, const std::string&) {
    std::vector<std::string> names;
    for (const Value& name : keyword.get_array())
        names.emplace_back(text_of(name));
    return [names](const Value& value) -> std::string {
        if (!value.is_object()) return "";
        auto is_missing = [&](const std::string& name) { return !value.get_object().contains(name); };
        auto missing = std::ranges::find_if(names, is_missing);
        return missing == names.end() ? "" : base::concat("missing member ", json::quote(*missing));
    };
}

// The number of items of an array, or of members of an object.
std::optional<std::size_t> size_of(const Value& value, bool is_object) {
    if (is_object && value.is_object()) return value.get_object().size();
    if (!is_object && value.is_array()) return value.get_array().size();
    return std::nullopt;
}

Rule size_rule(const Value& keyword, bool of_object, bool is_least) {
    auto wanted = static_cast<std::size_t>(keyword.get_int64());
    return [=](const Value& value) -> std::string {
        auto size = size_of(value, of_object);
        if (!size || (is_least ? *size >= wanted : *size <= wanted)) return "";
        return base::concat("expected ", is_least ? "at least " : "at most ",
                            base::counted(wanted, of_object ? "member" : "item"), ", found ", *size);
    };
}

Rule min_items_rule(const Value& keyword, const std::string&) {
    return size_rule(keyword, false, true);
}

Rule max_items_rule(const Value& keyword, const std::string&) {
    return size_rule(keyword, false, false);
}

Rule min_properties_rule(const Value& keyword, const std::string&) {
    return size_rule(keyword, true, true);
}

Rule max_properties_rule(const Value& keyword, const std::string&) {
    return size_rule(keyword, true, false);
}

constexpr RuleEntry rule_entries[] = {
    {"type", type_rule},
    {"enum", enum_rule},
    {"const", const_rule},
    {"multipleOf", multiple_of_rule},
    {"minimum", minimum_rule},
    {"maximum", maximum_rule},
    {"exclusiveMinimum", exclusive_minimum_rule},
    {"exclusiveMaximum", exclusive_maximum_rule},
    {"minLength", min_length_rule},
    {"maxLength", max_length_rule},
    {"pattern", pattern_rule},
    {"format", format_rule},
    {"required", required_rule},
    {"minItems", min_items_rule},
    {"maxItems", max_items_rule},
    {"minProperties", min_properties_rule},
    {"maxProperties", max_properties_rule},
    {"uniqueItems", unique_items_rule},
};

}  // namespace

std::span<const RuleEntry> rule_table() {
    return rule_entries;
}

}  // namespace json_schema
