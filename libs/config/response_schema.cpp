#include "config/response_schema.hpp"

#include "base/text.hpp"
#include "json/json.hpp"
#include "json_schema/embed.hpp"
#include "json_schema/schema.hpp"

#include <cstddef>

namespace config {

namespace {

constexpr std::string_view any_value = "{}";

std::string array_schema(std::string_view alternatives) {
    return base::concat(R"({"type":"array","items":{"anyOf":[)", alternatives, "]}}");
}

std::string task_schema(std::string_view kind, std::string_view value) {
    return base::concat(
        R"({"type":"object","required":["kind","value"],"additionalProperties":false,"properties":{"kind":{"const":)",
        json::quote(kind), R"(},"value":)", value, "}}");
}

// `index`: of the alternative.
std::string value_schema(const Step& step, std::size_t index) {
    if (!step.value_schema) return std::string(any_value);
    json::View text = json::View::of(step.value_schema->text());
    auto value = json_schema::embedded(text, base::concat("/items/anyOf/", index, "/properties/value"));
    return value ? std::move(*value) : std::string(any_value);
}

}  // namespace

std::string response_schema(const WorkflowConfig& config, const Step& step) {
    if (step.next.empty()) return R"({"type":"array","maxItems":0})";
    std::string alternatives;
    for (std::size_t i = 0; i < step.next.size(); ++i) {
        const Step& next = config.step(step.next[i]);
        alternatives +=
            base::concat(alternatives.empty() ? "" : ",", task_schema(next.name, value_schema(next, i)));
    }
    return array_schema(alternatives);
}

}  // namespace config
