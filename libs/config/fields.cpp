#include "config/fields.hpp"

#include "base/text.hpp"
#include "json/suggest.hpp"

#include <algorithm>
#include <cstdint>
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
            return value.is(Kind::object);
        case array:
        case names:
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
            return "an object";
        case array:
        case names:
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
    return value <= range.most && (range.more_than_least ? value > range.least : value >= range.least);
}

std::string out_of_range(std::string_view name, const Range& range, View value) {
    auto least = static_cast<std::int64_t>(range.least);
    auto most = static_cast<std::int64_t>(range.most);
    std::string limits = range.more_than_least ? base::concat(", more than ", least, " and at most ", most)
                                               : base::concat(" from ", least, " to ", most);
    return base::concat("\"", name, "\" must be ", range.what, limits, ", not ", value.text());
}

std::string joined(std::span<const std::string_view> names) {
    std::string out;
    for (std::string_view name : names)
        out.append(out.empty() ? "" : ", ").append(name);
    return out;
}

void report_unknown(View key, const std::string& name, const ObjectType& type, ProblemList& problems) {
    if (&type == &step_options_type && name == "max_concurrency") {
        problems.add(
            key,
            "\"max_concurrency\" applies to the whole workflow: move it to the options at the top level");
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
        } else if (!has_type(member.value, field->type)) {
            problems.add(member.value, base::concat("\"", name, "\" must be ", type_name(field->type),
                                                    ", not ", kind_name(member.value.kind())));
        } else if (field->constraints.range && !is_in(*field->constraints.range, member.value)) {
            problems.add(member.value, out_of_range(name, *field->constraints.range, member.value));
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
