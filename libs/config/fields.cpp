#include "config/fields.hpp"

#include "base/suggest.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <set>

namespace config {

namespace {

using enum FieldType;
using json::Kind;
using json::Member;
using json::View;

constexpr Field config_fields[] = {
    {"$schema", text, false, "The JSON Schema of this file, for editors."},
    {"entrypoint", text, false, "The step that a run starts with when it is given a value only."},
    {"options", object, false, "What holds for every step that does not say otherwise."},
    {"steps", array, true, "The steps of the workflow."},
};

constexpr Field timeout_field = {"timeout", number, false,
                                 "Seconds that each phase of a task may take; no limit if absent."};
constexpr Field max_retries_field = {"max_retries", number, false,
                                     "How often a failed task is tried again; 0 if absent."};
constexpr Field retry_on_timeout_field = {"retry_on_timeout", boolean, false,
                                          "Whether a timeout is retried; true if absent."};
constexpr Field retry_on_invalid_response_field = {"retry_on_invalid_response", boolean, false,
                                                   "Whether an invalid response is retried; true if absent."};

constexpr Field retry_backoff_field = {
    "retry_backoff", object, false, "How long a task waits before it is tried again; not at all if absent."};

constexpr Field global_options_fields[] = {
    timeout_field,
    max_retries_field,
    {"max_concurrency", number, false, "How many tasks may be under way at once; no limit if absent."},
    retry_on_timeout_field,
    retry_on_invalid_response_field,
    retry_backoff_field,
};

constexpr Field step_options_fields[] = {timeout_field, max_retries_field, retry_on_timeout_field,
                                         retry_on_invalid_response_field, retry_backoff_field};

constexpr Field retry_backoff_fields[] = {
    {"initial", number, true, "Seconds before the first retry."},
    {"factor", number, false, "How many times as long each further wait is; 2 if absent."},
    {"max", number, false, "Seconds that no wait is longer than."},
    {"jitter", number, false, "The part of each wait, 0 to 1, that chance may take off it; 0 if absent."},
};

constexpr Field step_fields[] = {
    {"name", text, true, "What tasks of this step have as their kind."},
    {"value_schema", any, false,
     "The JSON Schema of the step's values, or {\"link\": \"path\"} to it; any value if absent."},
    {"pre", object, false, "A command that gets the value and prints the one to use."},
    {"action", object, true, "What is done with a task: {\"kind\": \"Pool\"} or {\"kind\": \"Command\"}."},
    {"post", object, false, "A command that gets the result of the action and prints the one to use."},
    {"finally", object, false, "A command that runs once a task and all that came of it are over."},
    {"next", array, false, "The steps that a task may lead to; none if absent."},
    {"options", object, false, "What holds for this step instead of the workflow's options."},
};

constexpr Field pool_action_fields[] = {
    {"kind", text, true, "\"Pool\": an agent does it."},
    {"instructions", any, false,
     "What the agent is told: a string, {\"inline\": \"text\"} or {\"link\": \"path\"}."},
};

constexpr Field command_fields[] = {
    {"kind", text, true, "\"Command\": a shell does it."},
    {"script", text, true, "What sh -c runs, in the directory of the config."},
};

constexpr Field inline_fields[] = {{"inline", text, true, "The text itself."}};

constexpr Field link_fields[] = {
    {"link", text, true, "The path of a file, from the directory of the config."}};

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
            return value.is(Kind::array);
        case any:
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
            return "an array";
        case any:
            break;
    }
    return "a value";
}

std::string joined(std::span<const std::string_view> names) {
    std::string out;
    for (std::string_view name : names)
        out.append(out.empty() ? "" : ", ").append(name);
    return out;
}

void report_unknown(View key, const std::string& name, const ObjectType& type, ProblemList& problems) {
    if (&type == &step_options_type && name == "max_concurrency") {
        problems.add(key,
                     "\"max_concurrency\" is for the whole workflow: it belongs into the options at the top");
        return;
    }
    std::vector<std::string_view> names;
    for (const Field& field : type.fields)
        names.push_back(field.name);
    std::string hint = base::did_you_mean(name, names);
    if (hint.empty()) hint = base::concat("; ", type.name, " ", type.has, ": ", joined(names));
    problems.add(key, base::concat("unknown field ", key.text(), " in ", type.name, hint));
}

}  // namespace

const ObjectType config_type = {"the config", "has", config_fields};
const ObjectType global_options_type = {"the options", "have", global_options_fields};
const ObjectType step_type = {"a step", "has", step_fields};
const ObjectType step_options_type = {"a step's options", "have", step_options_fields};
const ObjectType retry_backoff_type = {"\"retry_backoff\"", "has", retry_backoff_fields};
const ObjectType pool_action_type = {"a Pool action", "has", pool_action_fields};
const ObjectType command_type = {"a Command", "has", command_fields};
const ObjectType inline_type = {"instructions", "have", inline_fields};
const ObjectType link_type = {"a link", "has", link_fields};

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
            problems.add(member.key, base::concat(member.key.text(), " stands twice in ", type.name));
        } else if (field == type.fields.end()) {
            report_unknown(member.key, name, type, problems);
        } else if (!has_type(member.value, field->type)) {
            problems.add(member.value, base::concat("\"", name, "\" must be ", type_name(field->type),
                                                    ", not ", kind_name(member.value.kind())));
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
