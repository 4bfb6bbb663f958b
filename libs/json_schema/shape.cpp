#include "json_schema/shape.hpp"

#include "base/text.hpp"
#include "json/suggest.hpp"
#include "json_schema/pattern.hpp"
#include "json_schema/value.hpp"

#include <algorithm>
#include <regex>

namespace json_schema {

namespace {

using json::Kind;
using json::View;

constexpr std::string_view type_names[] = {"null",   "boolean", "object", "array",
                                           "number", "string",  "integer"};

bool is_string(View value) {
    return value.is(Kind::string);
}

bool is_array_of_strings(View value) {
    if (!value.is(Kind::array)) return false;
    auto elements = value.elements();
    return std::ranges::all_of(elements, is_string);
}

bool is_count(View value) {
    return value.is(Kind::number) && whole_number(value).value_or(-1) >= 0;
}

// A letter or underscore, followed by letters, underscores, digits, hyphens and dots.
bool is_anchor(View value) {
    if (!is_string(value)) return false;
    std::string name = value.string();
    auto may_begin = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    return !name.empty() && may_begin(name.front()) && std::ranges::all_of(name, [&](char c) {
        return may_begin(c) || (c >= '0' && c <= '9') || c == '-' || c == '.';
    });
}

std::string type_error(View value) {
    if (!is_string(value)) return "must be the name of a type or an array of such names";
    std::string name = value.string();
    if (std::ranges::find(type_names, name) != std::end(type_names)) return "";
    return base::concat("is ", value.text(), ", but must be ", json::alternatives(type_names),
                        json::did_you_mean(name, type_names));
}

std::string types_error(View value) {
    if (!value.is(Kind::array)) return type_error(value);
    auto elements = value.elements();
    if (elements.empty()) return "must name a type";
    for (View element : elements) {
        if (auto error = type_error(element); !error.empty()) return error;
    }
    return "";
}

std::string pattern_error(View value) {
    if (!is_string(value)) return "must be a string";
    auto pattern = Pattern::compile(value.string());
    return pattern.has_value() ? "" : base::concat("is ", pattern.error().message);
}

// valijson matches these patterns itself, with std::regex.
std::string pattern_map_error(View value) {
    if (!value.is(Kind::object)) return "must be an object";
    for (const auto& member : value.members()) {
        try {
            static_cast<void>(std::regex(member.key.string()));
        } catch (const std::regex_error& error) {
            return base::concat("has ", member.key.text(),
                                ", not a valid regular expression: ", error.what());
        }
    }
    return "";
}

std::string array_error(View value) {
    if (!value.is(Kind::array)) return "must be an array";
    return value.elements().empty() ? "must not be empty" : "";
}

std::string dependencies_error(View value) {
    if (!value.is(Kind::object)) return "must be an object";
    for (const auto& member : value.members()) {
        if (member.value.is(Kind::array) && !is_array_of_strings(member.value)) {
            return base::concat("must have a schema or an array of strings for ", member.key.text());
        }
    }
    return "";
}

std::string string_lists_error(View value) {
    if (!value.is(Kind::object)) return "must be an object";
    for (const auto& member : value.members())
        if (!is_array_of_strings(member.value))
            return base::concat("must have an array of strings for ", member.key.text());
    return "";
}

std::string items_error(View value, Draft draft) {
    if (draft != Draft::draft2020 || !value.is(Kind::array)) return "";
    return "must be one schema in 2020-12, where an array of schemas is \"prefixItems\"";
}

std::string error_unless(bool fits, const char* message) {
    return fits ? "" : message;
}

}  // namespace

std::string shape_error(Shape shape, View value, Draft draft) {
    bool is_number = value.is(Kind::number);
    bool is_boolean = value.is(Kind::boolean);
    switch (shape) {
        case Shape::reference:
        case Shape::string:
            return error_unless(is_string(value), "must be a string");
        case Shape::boolean:
            return error_unless(is_boolean, "must be true or false");
        case Shape::number:
            return error_unless(is_number, "must be a number");
        case Shape::positive_number:
            return error_unless(is_number && value.number() > 0, "must be a number greater than 0");
        case Shape::count:
            return error_unless(is_count(value), "must be a whole number, not negative");
        case Shape::exclusive_limit:
            if (draft == Draft::draft4) return error_unless(is_boolean, "must be true or false in draft-04");
            return error_unless(is_number, "must be a number");
        case Shape::strings:
            return error_unless(is_array_of_strings(value), "must be an array of strings");
        case Shape::types:
            return types_error(value);
        case Shape::schemas:
        case Shape::nonempty_array:
            return array_error(value);
        case Shape::pattern:
            return pattern_error(value);
        case Shape::anchor:
            return error_unless(is_anchor(value),
                                "must be a name: a letter, then letters, digits, - _ and .");
        case Shape::string_lists:
            return string_lists_error(value);
        case Shape::items:
            return items_error(value, draft);
        case Shape::schema_map:
            return error_unless(value.is(Kind::object), "must be an object");
        case Shape::pattern_map:
            return pattern_map_error(value);
        case Shape::dependencies:
            return dependencies_error(value);
        case Shape::anything:
        case Shape::schema:
        case Shape::schema_or_boolean:
            return "";
    }
    return "";
}

}  // namespace json_schema
