#include "json_schema/sample_facts.hpp"

#include "json_schema/value.hpp"

#include <algorithm>

namespace json_schema {

namespace {

using json::View;
using enum ValueType;

constexpr std::pair<std::string_view, ValueType> types_by_name[] = {
    {"object", object},   {"string", string}, {"integer", integer}, {"number", number},
    {"boolean", boolean}, {"null", null},     {"array", array}};

ValueType type_named(const std::string& name) {
    return std::ranges::find(types_by_name, name, &std::pair<std::string_view, ValueType>::first)->second;
}

std::size_t count_of(View value) {
    return static_cast<std::size_t>(whole_number(value).value_or(0));
}

// The number is exact if it is an integer.
long double number_of(View value) {
    if (auto whole = value.integer()) return static_cast<long double>(*whole);
    return value.number();
}

void raise(std::optional<Limit>& lower, Limit to) {
    if (!lower || to.value > lower->value || (to.value == lower->value && to.exclusive)) lower = to;
}

void reduce(std::optional<Limit>& upper, Limit to) {
    if (!upper || to.value < upper->value || (to.value == upper->value && to.exclusive)) upper = to;
}

bool is_true(std::optional<View> value) {
    return value && value->is(json::Kind::boolean) && value->boolean();
}

// An integer is a number as well.
bool takes(const std::vector<ValueType>& types, ValueType type) {
    auto has = [&](ValueType wanted) { return std::ranges::find(types, wanted) != types.end(); };
    return has(type) || (type == integer && has(number));
}

}  // namespace

void Facts::collect(const SchemaOutline& outline, View schema, Choices& choices) {
    if (schema.is(json::Kind::boolean)) {
        impossible = impossible || !schema.boolean();
        return;
    }
    const Subschema& known = outline.at(schema);
    if (known.target) collect(outline, outline.subschemas[*known.target].view, choices);
    for (const json::Member& member : schema.members())
        collect_keyword(outline, schema, member, choices);
}

void Facts::collect_keyword(const SchemaOutline& outline, View schema, const json::Member& member,
                            Choices& choices) {
    std::string name = member.key.string();
    if (collect_alternative(outline, schema, name, member.value, choices)) return;
    if (collect_value(name, member.value) || collect_number(schema, name, member.value)) return;
    if (collect_string(name, member.value)) return hinted.push_back(string);
    bool about_items = collect_array(name, member.value);
    if (!about_items && !collect_object(name, member.value)) return;
    hinted.push_back(about_items ? array : object);
    if (structures.empty() || structures.back().text().data() != schema.text().data())
        structures.push_back(schema);
}

bool Facts::collect_alternative(const SchemaOutline& outline, View schema, std::string_view name, View value,
                                Choices& choices) {
    if (name == "allOf") {
        for (View part : value.elements())
            collect(outline, part, choices);
    } else if (name == "anyOf" || name == "oneOf") {
        auto parts = value.elements();
        collect(outline, parts[choices.pick(parts.size())], choices);
    } else if (name == "if") {
        bool is_then = choices.pick(2) == 0;
        if (is_then) collect(outline, value, choices);
        if (auto then = schema.find(is_then ? "then" : "else")) collect(outline, *then, choices);
    } else {
        return false;
    }
    return true;
}

bool Facts::collect_value(std::string_view name, View value) {
    if (name == "const") {
        values = {value};
    } else if (name == "enum") {
        if (!values) values = value.elements();
    } else if (name == "default") {
        examples.push_back(value);
    } else if (name == "examples") {
        if (!value.is(json::Kind::array)) return true;
        auto given = value.elements();
        examples.insert(examples.begin(), given.begin(), given.end());
    } else if (name == "type") {
        allow(value);
    } else {
        return false;
    }
    return true;
}

void Facts::allow(View type) {
    std::vector<ValueType> named;
    if (type.is(json::Kind::array)) {
        for (View one : type.elements())
            named.push_back(type_named(one.string()));
    } else {
        named = {type_named(type.string())};
    }
    if (!allowed) {
        allowed = std::move(named);
        return;
    }
    std::vector<ValueType> both;
    for (ValueType one : *allowed)
        if (takes(named, one)) both.push_back(one);
    for (ValueType one : named)
        if (takes(*allowed, one) && std::ranges::find(both, one) == both.end()) both.push_back(one);
    allowed = std::move(both);
}

// In draft-04 an exclusive limit is a boolean next to the limit.
bool Facts::collect_number(View schema, std::string_view name, View value) {
    bool is_limit = value.is(json::Kind::number);
    if (name == "minimum")
        raise(of_number.lower, {number_of(value), is_true(schema.find("exclusiveMinimum"))});
    else if (name == "maximum")
        reduce(of_number.upper, {number_of(value), is_true(schema.find("exclusiveMaximum"))});
    else if (name == "exclusiveMinimum" && is_limit)
        raise(of_number.lower, {number_of(value), true});
    else if (name == "exclusiveMaximum" && is_limit)
        reduce(of_number.upper, {number_of(value), true});
    else if (name == "multipleOf")
        of_number.multiple_of.push_back(number_of(value));
    else
        return false;
    hinted.push_back(number);
    return true;
}

bool Facts::collect_string(std::string_view name, View value) {
    if (name == "minLength")
        of_string.least = std::max(of_string.least, count_of(value));
    else if (name == "maxLength")
        of_string.most = std::min(of_string.most, count_of(value));
    else if (name == "pattern")
        of_string.patterns.push_back(value.string());
    else if (name == "format")
        of_string.format = value.string();
    else
        return false;
    return true;
}

bool Facts::collect_array(std::string_view name, View value) {
    if (name == "minItems")
        of_array.least = std::max(of_array.least, count_of(value));
    else if (name == "maxItems")
        of_array.most = std::min(of_array.most, count_of(value));
    else if (name == "uniqueItems")
        of_array.unique = of_array.unique || value.boolean();
    else if (name == "contains")
        of_array.contains.push_back(value);
    else
        return name == "items" || name == "prefixItems" || name == "additionalItems";
    return true;
}

bool Facts::collect_object(std::string_view name, View value) {
    if (name == "minProperties") {
        of_object.least = std::max(of_object.least, count_of(value));
    } else if (name == "maxProperties") {
        of_object.most = std::min(of_object.most, count_of(value));
    } else if (name == "required") {
        for (View member : value.elements())
            of_object.required.push_back(member.string());
    } else if (name == "propertyNames") {
        of_object.names.push_back(value);
    } else if (name.starts_with("depend")) {
        of_object.dependencies.push_back(value);
    } else {
        return name == "properties" || name == "patternProperties" || name == "additionalProperties";
    }
    return true;
}

std::vector<ValueType> Facts::types() const {
    std::vector<ValueType> order;
    auto add = [&](ValueType type) {
        bool may = !allowed || std::ranges::find(*allowed, type) != allowed->end();
        if (may && std::ranges::find(order, type) == order.end()) order.push_back(type);
    };
    if (!allowed)
        for (ValueType type : hinted)
            add(type);
    for (ValueType type : allowed.value_or(std::vector{object, string, integer, boolean, null, array}))
        add(type);
    return order;
}

}  // namespace json_schema
