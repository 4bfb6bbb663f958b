#include "json_schema/rules.hpp"

#include "base/text.hpp"
#include "json_schema/adapter.hpp"
#include "json_schema/rule_table.hpp"

#include <valijson/constraint_builder.hpp>
#include <valijson/constraints/concrete_constraints.hpp>
#include <valijson/validation_results.hpp>

namespace json_schema {

namespace {

using Value = boost::json::value;

constexpr char separator = '\0';  // before a failure, and between the failure and the pointer to its keyword

class RuleConstraint : public valijson::constraints::PolyConstraint {
  public:
    RuleConstraint(Rule rule, std::string pointer) : rule_(std::move(rule)), pointer_(std::move(pointer)) {}

    bool validate(const valijson::adapters::Adapter& target, const std::vector<std::string>& context,
                  valijson::ValidationResults* results) const override {
        // For `propertyNames`, valijson passes the name in an adapter of its own.
        bool is_name = typeid(target) != typeid(SchemaAdapter);
        std::string failure = is_name ? rule_(boost::json::string(target.asString()))
                                      : rule_(static_cast<const SchemaAdapter&>(target).tree());
        if (results != nullptr && !failure.empty())
            results->pushError(context, separator + failure + separator + pointer_);
        return failure.empty();
    }

  private:
    Constraint* cloneInto(void* place) const override { return new (place) RuleConstraint(*this); }
    std::size_t sizeOf() const override { return sizeof(RuleConstraint); }

    Rule rule_;
    std::string pointer_;
};

class RuleBuilder : public valijson::ConstraintBuilder {
  public:
    explicit RuleBuilder(const RuleEntry& entry) : entry_(entry) {}

    valijson::constraints::Constraint* make(const valijson::adapters::Adapter& adapter) const override {
        const auto& keyword = dynamic_cast<const SchemaAdapter&>(adapter).tree().get_object();
        std::string text(text_of(keyword.at("text")));
        std::string pointer(text_of(keyword.at("pointer")));
        return new RuleConstraint(entry_.make(keyword.at("value"), text), std::move(pointer));
    }

  private:
    const RuleEntry& entry_;
};

}  // namespace

std::string rule_name(std::string_view keyword) {
    return base::concat("rule:", keyword);
}

Value rule_value(json::View value, std::string_view pointer) {
    return {{"text", json::compact(value)}, {"value", to_value(value)}, {"pointer", pointer}};
}

RuleFailure split_failure(const std::string& description) {
    if (!description.starts_with(separator)) return {description, ""};
    std::size_t end = description.find(separator, 1);
    return {description.substr(1, end - 1), description.substr(end + 1)};
}

void add_rules(valijson::SchemaParser& parser) {
    for (const RuleEntry& entry : rule_table())
        parser.addConstraintBuilder(rule_name(entry.keyword), new RuleBuilder(entry));
}

}  // namespace json_schema
