#include "config/schema.hpp"

#include "base/text.hpp"
#include "config/schema_adapter.hpp"
#include "config/schema_outline.hpp"
#include "config/schema_pointer.hpp"
#include "config/schema_rules.hpp"
#include "config/schema_translate.hpp"

#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include <algorithm>

namespace config {

namespace {

using boost::json::value;

// valijson matches names against `patternProperties` by std::regex, which recurses for each character.
constexpr std::size_t longest_matched_name = 1024;

bool has_overlong_name(const value& tree) {
    if (tree.is_array()) return std::ranges::any_of(tree.get_array(), has_overlong_name);
    if (!tree.is_object()) return false;
    return std::ranges::any_of(tree.get_object(), [](const auto& member) {
        return member.key().size() > longest_matched_name || has_overlong_name(member.value());
    });
}

// valijson's context is "<root>", then "[name]" or "[index]" for each step.
std::string pointer(const std::vector<std::string>& context) {
    std::string out;
    for (std::size_t i = 1; i < context.size(); ++i) {
        out = extend_pointer(out, std::string_view(context[i]).substr(1, context[i].size() - 2));
    }
    return out;
}

// The text between the last two single quotes; "" if there are none.
std::string quoted_name(const std::string& description) {
    std::size_t end = description.rfind('\'');
    std::size_t start = description.find('\'');
    return end == start ? "" : json::quote(std::string_view(description).substr(start + 1, end - start - 1));
}

struct Rewording {
    std::string_view start;  // of valijson's sentence
    std::string_view ours;
    bool names_member = false;  // put the name that the sentence ends with behind ours
};

// What valijson says less well. The sentence about a property's schema only comes first when that schema is
// `false`.
constexpr Rewording rewordings[] = {
    {"Object contains a property that could not be validated using 'properties' or 'additionalProperties' "
     "constraints: ",
     "not allowed: the member ", true},
    {"Failed to validate against schema associated with property name ", "not allowed: the member ", true},
    {"Missing required property ", "missing member ", true},
    {"Missing dependency ", "missing member ", true},
    {"Failed to any values", "no item is as \"contains\" wants one"},
    {"Failed to validate against exactly one", "more than one alternative of \"oneOf\" fits"},
    {"Target should not validate", "this is what \"not\" rules out"},
    {"Array contains more items than allowed", "more items than \"items\" and \"additionalItems\" allow"},
};

std::string reword(std::string description) {
    for (const Rewording& known : rewordings) {
        if (!description.starts_with(known.start)) continue;
        std::string name = description.substr(known.start.size());
        return base::concat(known.ours, known.names_member ? quoted_name(name) : "");
    }
    if (description.ends_with('.')) description.pop_back();
    if (description.front() >= 'A' && description.front() <= 'Z') description.front() += 'a' - 'A';
    return description;
}

// Of the alternatives, valijson reports each one's violations first, and then that none of them fits.
bool is_of_an_alternative(const valijson::ValidationResults& results) {
    return std::ranges::any_of(results, [](const auto& error) {
        return error.description.starts_with("Failed to validate against any ");
    });
}

std::string describe(const valijson::ValidationResults& results, bool has_property_names) {
    // Two things fail without a word: the schema `false`, and propertyNames.
    if (results.numErrors() == 0 && has_property_names)
        return "a member's name is not as \"propertyNames\" wants it";
    if (results.numErrors() == 0) return "no value is allowed here";
    const auto& first = *results.begin();
    std::string place = pointer(first.context);
    std::string message = first.description.empty() ? "not allowed" : reword(first.description);
    if (is_of_an_alternative(results)) message += " (and no other alternative fits)";
    return place.empty() ? message : base::concat("at ", place, ": ", message);
}

}  // namespace

struct Schema::Compiled {
    valijson::Schema schema;
    valijson::Validator validator;  // caches regular expressions
    bool has_pattern_properties = false;
    bool has_property_names = false;
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
    auto compiled = std::make_unique<Compiled>();
    compiled->has_pattern_properties = read.used.contains("patternProperties");
    compiled->has_property_names = read.used.contains("propertyNames");
    try {
        using valijson::SchemaParser;
        SchemaParser parser(read.draft == Draft::draft4 ? SchemaParser::kDraft4 : SchemaParser::kDraft7);
        add_rules(parser);
        parser.populateSchema(SchemaAdapter(translate(read)), compiled->schema);
    } catch (const std::exception& error) {
        return base::invalid(base::concat("the schema is not accepted: ", error.what()));
    }
    return std::shared_ptr<const Schema>(new Schema(json::compact(schema), std::move(compiled)));
}

std::optional<std::string> Schema::violation(json::View view) const {
    const value tree = to_value(view);
    if (compiled_->has_pattern_properties && has_overlong_name(tree)) {
        return base::concat("a name of more than ", longest_matched_name,
                            " bytes cannot be matched against \"patternProperties\"");
    }
    try {
        SchemaAdapter target(tree);
        if (compiled_->validator.validate(compiled_->schema, target, nullptr)) return std::nullopt;
        // Only now, because it goes on to find every violation.
        valijson::ValidationResults results;
        compiled_->validator.validate(compiled_->schema, target, &results);
        return describe(results, compiled_->has_property_names);
    } catch (const std::exception& error) {
        return base::concat("the value cannot be checked: ", error.what());
    }
}

}  // namespace config
