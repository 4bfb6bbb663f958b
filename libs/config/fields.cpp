#include "config/fields.hpp"

#include "base/plain_number.hpp"
#include "base/text.hpp"
#include "json/suggest.hpp"

#include <algorithm>
#include <set>

namespace config {

namespace {

using enum FieldType;
using json::Kind;
using json::Member;
using json::View;

bool has_type(View value, FieldType type) {
    switch (type) {
        case text:
            return value.is(Kind::string);
        case boolean:
            return value.is(Kind::boolean);
        case number:
            return value.is(Kind::number);
        case object:
        case variables:
        case variables_and_names:
            return value.is(Kind::object);
        case array:
        case names:
        case labels:
        case texts:
            return value.is(Kind::array);
        case schema:
        case instructions:
            return true;
    }
    return false;
}

std::string_view type_name(FieldType type) {
    switch (type) {
        case text:
            return "a string";
        case boolean:
            return "true or false";
        case number:
            return "a number";
        case object:
        case variables:
        case variables_and_names:
            return "an object";
        case array:
        case names:
        case labels:
        case texts:
            return "an array";
        case schema:
        case instructions:
            break;
    }
    return "a value";
}

bool is_in(const Range& range, View number) {
    if (range.whole && !number.integer()) return false;
    double value = number.number();
    return value >= range.least && value <= range.most;
}

std::string out_of_range(std::string_view name, const Range& range, View value) {
    return base::concat("\"", name, "\" must be ", range.what, " from ", base::plain_number(range.least),
                        " to ", base::plain_number(range.most), ", not ", value.text());
}

// What is wrong with the value of a known field; empty if nothing is.
std::string problem_of(const Field& field, View value) {
    if (!has_type(value, field.type))
        return base::concat("\"", field.name, "\" must be ", type_name(field.type), ", not ",
                            kind_name(value.kind()));
    const Constraints& constraints = field.constraints;
    if (constraints.range && !is_in(*constraints.range, value))
        return out_of_range(field.name, *constraints.range, value);
    if (constraints.choices.empty()) return "";
    std::string text = value.string();
    if (std::ranges::find(constraints.choices, text) != constraints.choices.end()) return "";
    return base::concat("\"", field.name, "\" must be ", json::alternatives(constraints.choices), ", not ",
                        value.text(), json::did_you_mean(text, constraints.choices));
}

std::string joined(std::span<const std::string_view> names) {
    std::string out;
    for (std::string_view name : names)
        out.append(out.empty() ? "" : ", ").append(name);
    return out;
}

bool is_option_of_a_step(std::string_view name) {
    const auto& fields = step_options_type.fields;
    return std::ranges::find(fields, name, &Field::name) != fields.end();
}

void report_unknown(View key, const std::string& name, const ObjectType& type, ProblemList& problems) {
    if (&type == &global_options_type && is_option_of_a_step(name)) {
        problems.add(key, base::concat(key.text(), " is an option of a step: move it to the options of one"));
        return;
    }
    std::vector<std::string_view> names;
    for (const Field& field : type.fields)
        names.push_back(field.name);
    std::string hint = json::did_you_mean(name, names);
    if (hint.empty()) hint = base::concat("; ", type.name, " ", type.has, ": ", joined(names));
    problems.add(key, base::concat("unknown field ", key.text(), " in ", type.name, hint));
}

}  // namespace

FieldValues FieldValues::read(View value, const ObjectType& type, ProblemList& problems) {
    FieldValues out;
    if (!value.is(Kind::object)) {
        problems.add(value, base::concat(type.name, " must be an object, not ", kind_name(value.kind())));
        return out;
    }
    std::set<std::string> seen;
    for (const Member& member : value.members()) {
        std::string name = member.key.string();
        auto field = std::ranges::find(type.fields, name, &Field::name);
        if (!seen.insert(name).second) {
            problems.add(member.key, base::concat(member.key.text(), " occurs twice in ", type.name));
        } else if (field == type.fields.end()) {
            report_unknown(member.key, name, type, problems);
        } else if (std::string problem = problem_of(*field, member.value); !problem.empty()) {
            problems.add(member.value, std::move(problem));
        } else {
            out.values_.emplace(std::move(name), member.value);
        }
    }
    for (const Field& field : type.fields) {
        if (field.required && !seen.contains(std::string(field.name))) {
            problems.add(value, base::concat("\"", field.name, "\" is missing in ", type.name));
        }
    }
    return out;
}

std::optional<View> FieldValues::find(std::string_view name) const {
    auto found = values_.find(name);
    return found == values_.end() ? std::nullopt : std::optional(found->second);
}

std::string_view kind_name(Kind kind) {
    switch (kind) {
        case Kind::null:
            return "null";
        case Kind::boolean:
            return "a boolean";
        case Kind::number:
            return "a number";
        case Kind::string:
            return "a string";
        case Kind::array:
            return "an array";
        case Kind::object:
            return "an object";
    }
    return "a value";
}

}  // namespace config
