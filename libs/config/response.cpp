#include "config/response.hpp"

#include "base/text.hpp"
#include "base/text_parts.hpp"
#include "config/fields.hpp"
#include "json/json.hpp"
#include "json/suggest.hpp"
#include "json_schema/pointer.hpp"
#include "json_schema/schema.hpp"

#include <algorithm>
#include <functional>

namespace config {

namespace {

using json::Kind;
using json::View;

using FindStep = std::function<base::Result<StepId>(const std::string& kind)>;

std::vector<std::string_view> names_of(const WorkflowConfig& config, const std::vector<StepId>& ids) {
    std::vector<std::string_view> names;
    for (StepId id : ids)
        names.push_back(config.step(id).name);
    return names;
}

std::vector<std::string_view> names_of_all(const WorkflowConfig& config) {
    std::vector<std::string_view> names;
    names.reserve(config.steps.size());
    for (const Step& step : config.steps)
        names.push_back(step.name);
    return names;
}

base::Result<StepId> find_next(const WorkflowConfig& config, const Step& step, const std::string& kind) {
    auto id = config.find(kind);
    if (id && std::ranges::find(step.next, *id) != step.next.end()) return *id;
    auto names = names_of(config, step.next);
    std::string allowed = names.empty() ? "this step is terminal: [] is the only response"
                                        : base::concat("expected ", json::alternatives(names));
    return base::invalid(base::concat("kind ", json::quote(kind), " is not a next step of ",
                                      json::quote(step.name), "; ", allowed));
}

base::Result<StepId> find_any(const WorkflowConfig& config, const std::string& kind) {
    if (auto id = config.find(kind)) return *id;
    auto names = names_of_all(config);
    return base::invalid(base::concat("kind ", json::quote(kind), " is not a step of the config",
                                      json::did_you_mean(kind, names)));
}

struct RawTask {
    std::optional<View> kind;
    std::optional<View> value;
};

// Called for each problem. Returns whether to look for more.
using Report = std::function<bool(View where, std::string message)>;

std::optional<RawTask> read_members(View element, const Report& report) {
    auto fail = [&](View where, std::string message) {
        report(where, std::move(message));
        return std::nullopt;
    };
    if (!element.is(Kind::object))
        return fail(element, base::concat("expected an object with \"kind\" and \"value\", found ",
                                          kind_name(element.kind())));
    RawTask raw;
    for (const json::Member& member : element.members()) {
        std::string name = member.key.string();
        if (name != "kind" && name != "value")
            return fail(member.key, base::concat("unknown member ", member.key.text(),
                                                 "; a task has \"kind\" and \"value\""));
        auto& place = name == "kind" ? raw.kind : raw.value;
        if (place) return fail(member.key, base::concat("\"", name, "\" occurs twice"));
        place = member.value;
    }
    if (!raw.kind) return fail(element, "\"kind\" is missing");
    if (!raw.value) return fail(element, "\"value\" is missing");
    if (!raw.kind->is(Kind::string))
        return fail(*raw.kind, base::concat("\"kind\" must be a string, not ", kind_name(raw.kind->kind())));
    return raw;
}

// Returns whether to look for more problems.
bool read_task(const WorkflowConfig& config, View element, const FindStep& find_step, const Report& report,
               std::vector<NewTask>& tasks) {
    bool go_on = true;
    auto note = [&](View where, std::string message) { return go_on = report(where, std::move(message)); };
    auto raw = read_members(element, note);
    if (!raw) return go_on;
    auto id = find_step(raw->kind->string());
    if (id.has_error()) return note(*raw->kind, id.error().message);
    const Step& step = config.step(*id);
    if (step.value_schema) {
        if (auto violation = step.value_schema->violation(*raw->value))
            return note(json_schema::follow_path(*raw->value, violation->path), misfit(step, *violation));
    }
    tasks.push_back({*id, json::compact(*raw->value)});
    return true;
}

// Scripts that forget to print a response print nothing or white space.
base::Error empty_input(std::string_view what) {
    return base::invalid(base::concat(what, ": it is empty; use [] for no tasks"));
}

bool is_too_long(std::string_view text, const StepOptions& options) {
    return text.size() > options.max_response_bytes;
}

base::Error too_long(std::string_view what, const StepOptions& options) {
    return base::invalid(base::concat(what, ": ", too_many_bytes(options)));
}

std::string not_an_array(View found) {
    return base::concat("expected a JSON array of tasks, found ", kind_name(found.kind()));
}

std::string too_many_tasks(std::size_t count, const StepOptions& options) {
    return base::concat("it has ", count, " tasks, more than the ", options.max_tasks_per_response,
                        " that are allowed (max_tasks_per_response)");
}

// Stops at the first problem, which becomes the error.
base::Result<std::vector<NewTask>> read_tasks(const WorkflowConfig& config, const StepOptions& options,
                                              View array, std::string_view what, const FindStep& find_step) {
    if (!array.is(Kind::array)) return base::invalid(base::concat(what, ": ", not_an_array(array)));
    auto elements = array.elements();
    if (elements.size() > options.max_tasks_per_response)
        return base::invalid(base::concat(what, ": ", too_many_tasks(elements.size(), options)));
    std::vector<NewTask> tasks;
    std::string mistake;
    auto report = [&](View, std::string message) {
        mistake = base::concat(what, ": element ", tasks.size() + 1, ": ", message);
        return false;
    };
    for (View element : elements)
        if (!read_task(config, element, find_step, report, tasks)) return base::invalid(std::move(mistake));
    return tasks;
}

}  // namespace

std::string misfit(const Step& step, const json_schema::Violation& violation) {
    return base::concat("the value does not fit the schema of ", json::quote(step.name), ": ",
                        json_schema::to_string(violation));
}

base::Result<std::vector<NewTask>> parse_response(const WorkflowConfig& config, const Step& step,
                                                  std::string_view text) {
    constexpr std::string_view what = "invalid response";
    if (base::is_blank(text)) return empty_input(what);
    if (is_too_long(text, step.options)) return too_long(what, step.options);
    auto array = json::parse(text, what);
    if (array.has_error()) return array.error();
    return read_tasks(config, step.options, *array, what,
                      [&](const std::string& kind) { return find_next(config, step, kind); });
}

base::Result<std::vector<NewTask>> parse_tasks(const WorkflowConfig& config, const Step& step,
                                               std::string_view text, std::string_view what) {
    if (base::is_blank(text)) return empty_input(what);
    if (is_too_long(text, step.options)) return too_long(what, step.options);
    auto array = json::parse(text, what, json::Dialect::jsonc);
    if (array.has_error()) return array.error();
    return read_tasks(config, step.options, *array, what,
                      [&](const std::string& kind) { return find_any(config, kind); });
}

std::string too_many_bytes(const StepOptions& options) {
    return base::concat("it has more than the ", options.max_response_bytes,
                        " bytes that are allowed (max_response_bytes)");
}

std::vector<NewTask> read_tasks(const WorkflowConfig& config, View array, ProblemList& problems) {
    std::vector<NewTask> tasks;
    auto find_step = [&](const std::string& kind) { return find_any(config, kind); };
    auto report = [&](View where, std::string message) {
        problems.add(where, std::move(message));
        return true;
    };
    if (!array.is(Kind::array)) {
        problems.add(array, not_an_array(array));
        return tasks;
    }
    for (View element : array.elements())
        read_task(config, element, find_step, report, tasks);
    return tasks;
}

}  // namespace config
