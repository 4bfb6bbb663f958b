#include "json_schema/schema.hpp"

#include "base/text.hpp"
#include "json_schema/adapter.hpp"
#include "json_schema/outline.hpp"
#include "json_schema/pointer.hpp"
#include "json_schema/rules.hpp"
#include "json_schema/translate.hpp"

#include <boost/json/monotonic_resource.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include <algorithm>
#include <new>

namespace json_schema {

namespace {

using boost::json::value;

// valijson matches names against `patternProperties` with std::regex, which recurses for each character.
constexpr std::size_t longest_matched_name = 1024;

bool has_overlong_name(const value& tree) {
    if (tree.is_array()) return std::ranges::any_of(tree.get_array(), has_overlong_name);
    if (!tree.is_object()) return false;
    return std::ranges::any_of(tree.get_object(), [](const auto& member) {
        return member.key().size() > longest_matched_name || has_overlong_name(member.value());
    });
}

// valijson's context is "<root>", then "[name]" or "[index]" for each level.
std::vector<std::string> path(const std::vector<std::string>& context) {
    std::vector<std::string> out;
    for (std::size_t i = 1; i < context.size(); ++i)
        out.push_back(context[i].substr(1, context[i].size() - 2));
    return out;
}

// The text between the last two single quotes; "" if there are none.
std::string quoted_name(const std::string& description) {
    std::size_t end = description.rfind('\'');
    std::size_t start = description.find('\'');
    return end == start ? "" : json::quote(std::string_view(description).substr(start + 1, end - start - 1));
}

struct Rewording {
    std::string_view start;  // the start of valijson's message
    std::string_view ours;
    bool names_member = false;   // append the name with which valijson's message ends
    std::string_view keyword{};  // the violated keyword
    std::string_view keyword_of_2020{};
};

// Replacements for unclear messages of valijson. The message about a property's schema is the first one only
// if that schema is `false`.
constexpr Rewording rewordings[] = {
    {"Object contains a property that could not be validated using 'properties' or 'additionalProperties' "
     "constraints: ",
     "not allowed: the member ", true, "additionalProperties"},
    {"Failed to validate against schema associated with property name ", "not allowed: the member ", true},
    {"Missing dependency ", "missing member ", true},
    {"Failed to any values", "no item matches \"contains\"", false, "contains"},
    {"Failed to validate against exactly one", "more than one alternative of \"oneOf\" fits"},
    {"Target should not validate", "the value matches the schema that \"not\" excludes"},
    {"Array contains more items than allowed", "more items than allowed", false, "additionalItems", "items"},
};

const Rewording* find_rewording(const std::string& description) {
    auto known = std::ranges::find_if(
        rewordings, [&](const Rewording& each) { return description.starts_with(each.start); });
    return known == std::end(rewordings) ? nullptr : known;
}

std::string reword(std::string description) {
    if (const Rewording* known = find_rewording(description)) {
        std::string name = description.substr(known->start.size());
        return base::concat(known->ours, known->names_member ? quoted_name(name) : "");
    }
    if (description.ends_with('.')) description.pop_back();
    if (description.front() >= 'A' && description.front() <= 'Z') description.front() += 'a' - 'A';
    return description;
}

// For alternatives, valijson first reports the violations of each one, and then that none of them matches.
bool is_of_an_alternative(const valijson::ValidationResults& results) {
    return std::ranges::any_of(results, [](const auto& error) {
        return error.description.starts_with("Failed to validate against any ");
    });
}

// The violation, as described by valijson or by a rule.
Violation violation_of(const valijson::ValidationResults::Error& error) {
    RuleFailure rule = split_failure(error.description);
    std::string message = rule.message.empty() ? "not allowed" : reword(std::move(rule.message));
    return {path(error.context), std::move(message), std::move(rule.schema_pointer)};
}

Violation first_violation(const valijson::ValidationResults& results, bool has_property_names) {
    // Two failures have no message: the schema `false`, and propertyNames.
    if (results.numErrors() == 0 && has_property_names)
        return {{}, "a member's name does not match \"propertyNames\"", ""};
    if (results.numErrors() == 0) return {{}, "no value is allowed here", ""};
    Violation violation = violation_of(*results.begin());
    if (is_of_an_alternative(results)) violation.message += " (and no other alternative fits)";
    return violation;
}

// Whether each part of a value is described by a single subschema, which its path determines.
bool is_plain(const SchemaOutline& outline) {
    constexpr std::string_view forks[] = {"$ref",
                                          "allOf",
                                          "anyOf",
                                          "oneOf",
                                          "not",
                                          "if",
                                          "then",
                                          "dependencies",
                                          "dependentSchemas",
                                          "patternProperties"};
    return std::ranges::none_of(forks, [&](std::string_view word) { return outline.used.contains(word); });
}

// The pointer to the keyword of the message; "" if it is not found.
std::string pointer_to(const Rewording& known, json::View schema, const std::vector<std::string>& path) {
    auto pointer = keyword_pointer(schema, path, known.keyword);
    if (!pointer) pointer = keyword_pointer(schema, path, known.keyword_of_2020);
    return pointer.value_or("");
}

// A pointer contains names of members, which may contain line breaks.
std::string on_one_line(const std::string& pointer) {
    auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; };
    if (std::ranges::none_of(pointer, is_control)) return pointer;
    std::string quoted = json::quote(pointer);
    return quoted.substr(1, quoted.size() - 2);
}

}  // namespace

struct Schema::Compiled {
    valijson::Schema schema;
    valijson::Validator validator;  // caches regular expressions
    bool has_pattern_properties = false;
    bool has_property_names = false;
    bool is_plain = false;
};

Schema::Schema(std::string text, std::unique_ptr<Compiled> compiled)
    : text_(std::move(text)), compiled_(std::move(compiled)) {}

Schema::~Schema() = default;

std::vector<SchemaProblem> check_schema(json::View schema) {
    return outline(schema).problems;
}

base::Result<std::shared_ptr<const Schema>> Schema::compile(json::View schema) {
    SchemaOutline read = outline(schema);
    if (!read.problems.empty()) return base::invalid(read.problems.front().message);
    return compile_part(read, schema);
}

base::Result<std::shared_ptr<const Schema>> Schema::compile_part(const SchemaOutline& outline,
                                                                 json::View part) {
    auto compiled = std::make_unique<Compiled>();
    compiled->has_pattern_properties = outline.used.contains("patternProperties");
    compiled->has_property_names = outline.used.contains("propertyNames");
    compiled->is_plain = is_plain(outline);
    try {
        using valijson::SchemaParser;
        SchemaParser parser(outline.draft == Draft::draft4 ? SchemaParser::kDraft4 : SchemaParser::kDraft7);
        add_rules(parser);
        parser.populateSchema(SchemaAdapter(translate(outline, part)), compiled->schema);
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& error) {
        return base::invalid(base::concat("the schema is not accepted: ", error.what()));
    }
    return std::shared_ptr<const Schema>(new Schema(json::compact(part), std::move(compiled)));
}

std::optional<Violation> Schema::violation(json::View view) const {
    unsigned char room[4096];  // enough for most values
    boost::json::monotonic_resource memory(room, sizeof room);
    const value tree = to_value(view, &memory);
    if (compiled_->has_pattern_properties && has_overlong_name(tree)) {
        return Violation{{},
                         base::concat("a name of more than ", longest_matched_name,
                                      " bytes cannot be matched against \"patternProperties\""),
                         ""};
    }
    try {
        SchemaAdapter target(tree);
        if (compiled_->validator.validate(compiled_->schema, target, nullptr)) return std::nullopt;
        // Done only after a failure, because it continues to search for all violations.
        valijson::ValidationResults results;
        compiled_->validator.validate(compiled_->schema, target, &results);
        Violation violation = first_violation(results, compiled_->has_property_names);
        if (violation.schema_pointer.empty() && compiled_->is_plain && results.numErrors() > 0)
            if (const Rewording* known = find_rewording(results.begin()->description))
                violation.schema_pointer = pointer_to(*known, json::View::of(text_), violation.path);
        return violation;
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& error) {
        return Violation{{}, base::concat("the value cannot be checked: ", error.what()), ""};
    }
}

std::string to_string(const Violation& violation) {
    std::string place;
    for (const std::string& token : violation.path)
        place = extend_pointer(place, token);
    std::string schema = violation.schema_pointer.empty()
                             ? ""
                             : base::concat(" (schema: ", on_one_line(violation.schema_pointer), ")");
    return base::concat(place.empty() ? "" : base::concat("at ", on_one_line(place), ": "), violation.message,
                        schema);
}

}  // namespace json_schema
