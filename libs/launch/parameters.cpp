#include "launch/parameters.hpp"

#include "base/text.hpp"
#include "config/response.hpp"
#include "json/json.hpp"
#include "json/suggest.hpp"
#include "json_schema/schema.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

namespace launch {

namespace {

struct Parameter {
    std::string_view name;
    std::string_view text;
    bool is_json = false;
};

std::optional<Parameter> split(std::string_view text) {
    std::size_t at = text.find('=');
    if (at == std::string_view::npos) return std::nullopt;
    Parameter parameter{text.substr(0, at), text.substr(at + 1), false};
    parameter.is_json = parameter.name.ends_with(':');
    if (parameter.is_json) parameter.name.remove_suffix(1);
    return parameter.name.empty() ? std::nullopt : std::optional(parameter);
}

base::Result<std::string> json_of(const Parameter& parameter) {
    if (parameter.is_json) {
        auto value =
            json::parse(parameter.text, base::concat("-p ", parameter.name, ":="), json::Dialect::jsonc);
        return value ? base::Result<std::string>(json::compact(*value)) : value.error();
    }
    if (json::invalid_utf8(parameter.text))
        return base::invalid(base::concat("-p ", parameter.name, ": the text is not UTF-8"));
    return json::quote(parameter.text);
}

// The names that the schema describes; none if it describes them in another way than by "properties".
std::vector<std::string> described_names(const config::Step& step) {
    std::vector<std::string> names;
    if (!step.value_schema) return names;
    auto properties = json::View::of(step.value_schema->text()).find("properties");
    if (properties && properties->is(json::Kind::object))
        for (const json::Member& member : properties->members())
            names.push_back(member.key.string());
    return names;
}

struct Suggestion {
    std::string name;
    std::string text;  // "; did you mean "x"?"
};

std::vector<Suggestion> suggestions(const Parameters& parameters, const config::Step& step) {
    std::vector<std::string> described = described_names(step);
    std::vector<std::string_view> candidates(described.begin(), described.end());
    std::vector<Suggestion> found;
    for (const json::Member& member : json::View::of(parameters.value).members()) {
        std::string name = member.key.string();
        if (std::ranges::find(described, name) != described.end()) continue;
        std::string text = json::did_you_mean(name, candidates);
        if (!text.empty()) found.push_back({std::move(name), std::move(text)});
    }
    return found;
}

// What was given as text may be meant as a number.
std::string advice(const Parameters& parameters, const json_schema::Violation& violation) {
    if (violation.path.size() != 1 || !parameters.as_text.contains(violation.path.front())) return "";
    const std::string& name = violation.path.front();
    return base::concat("; -p ", name, "=… is always a string: write -p ", name,
                        ":=… for another JSON value");
}

}  // namespace

base::Result<Parameters> parse_parameters(const std::vector<std::string>& texts) {
    Parameters parameters;
    std::set<std::string> names;
    for (const std::string& text : texts) {
        auto parameter = split(text);
        if (!parameter || json::invalid_utf8(parameter->name))
            return base::invalid(base::concat(
                "-p must be name=text or name:=json (for example directory=src or count:=3), not '", text,
                "'"));
        std::string name(parameter->name);
        if (!names.insert(name).second)
            return base::invalid(base::concat("-p gives ", json::quote(name), " more than once"));
        auto value = json_of(*parameter);
        if (!value) return value.error();
        if (!parameter->is_json) parameters.as_text.insert(name);
        parameters.value +=
            base::concat(parameters.value.empty() ? "{" : ",", json::quote(name), ":", *value);
    }
    parameters.value += parameters.value.empty() ? "{}" : "}";
    if (auto error = json::check(parameters.value))
        return base::invalid(base::concat("-p: the object of all parameters is ", error->message));
    return parameters;
}

base::Result<void> check_parameters(const Parameters& parameters, const config::Step& step) {
    if (!step.value_schema) return {};
    auto violation = step.value_schema->violation(json::View::of(parameters.value));
    if (!violation) return {};
    std::string text = base::concat("-p: ", config::misfit(step, *violation), advice(parameters, *violation));
    for (const Suggestion& suggestion : suggestions(parameters, step))
        text += base::concat("\n  -p ", suggestion.name, suggestion.text);
    return base::invalid(std::move(text));
}

std::vector<std::string> doubtful_names(const Parameters& parameters, const config::Step& step) {
    std::vector<std::string> texts;
    for (const Suggestion& suggestion : suggestions(parameters, step))
        texts.push_back(base::concat("-p ", suggestion.name, ": the schema of ", json::quote(step.name),
                                     " does not describe this member", suggestion.text));
    return texts;
}

}  // namespace launch
