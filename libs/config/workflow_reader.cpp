#include "config/workflow_reader.hpp"

#include "base/columns.hpp"
#include "base/limits.hpp"
#include "base/text.hpp"
#include "config/agent_reader.hpp"
#include "config/env_reader.hpp"
#include "config/instructions.hpp"
#include "config/options_reader.hpp"
#include "json/suggest.hpp"
#include "json/utf8.hpp"

#include <algorithm>

namespace config {

namespace {

using json::Kind;
using json::View;

bool is_step_name(std::string_view name) {
    std::size_t length = 0;
    bool is_seen = false;
    for (; !name.empty() && length <= base::longest_name; ++length) {
        auto character = json::utf8::first_code_point(name);
        if (base::is_control(character.value)) return false;
        is_seen = is_seen || !base::is_blank(character.value);
        name.remove_prefix(character.length);
    }
    return is_seen && length <= base::longest_name;
}

// The name of the step if it is valid.
std::optional<View> name_of(View step) {
    auto name = step.find("name");
    return name && name->is(Kind::string) ? name : std::nullopt;
}

}  // namespace

WorkflowReader::WorkflowReader(std::string directory, ProblemList& problems)
    : problems_(problems), linked_(directory, problems) {
    config_.directory = std::move(directory);
}

WorkflowConfig WorkflowReader::read(View root) {
    FieldValues fields = FieldValues::read(root, config_type, problems_);
    if (auto options = fields.find("options")) read_global_options(*options);
    if (auto env = fields.find("env")) env_ = read_env(*env, problems_);
    if (auto agents = fields.find("agents")) read_config_agents(*agents);
    if (auto steps = fields.find("steps")) {
        auto elements = steps->elements();
        if (elements.empty()) problems_.add(*steps, "\"steps\" must have at least one step");
        name_steps(elements);
        read_steps(elements);
    }
    // Without steps any name would be unknown, and the missing steps are reported anyway.
    if (auto entrypoint = fields.find("entrypoint"); entrypoint && fields.find("steps"))
        config_.entrypoint = read_step_name(*entrypoint, "entrypoint");
    check_global_backoff();
    if (problems_.empty()) config_.resolved = resolved_text(root, linked_.contents());
    return std::move(config_);
}

void WorkflowReader::read_global_options(View value) {
    FieldValues values = FieldValues::read(value, global_options_type, problems_);
    global_ = read_options(values, {}, problems_);
    global_retries_ = allows_retries(value, false);
    global_backoff_ = values.find("retry_backoff");
    config_.max_concurrency = read_max_concurrency(values);
    config_.budget = read_budget(values, problems_);
    config_.bounds = read_bounds(values);
}

void WorkflowReader::read_config_agents(View value) {
    config_.agents = read_agents(value, config_.directory, problems_);
    if (!config_.budget || !config_.budget->usd || !problems_.empty()) return;
    for (std::size_t i = 0; i < config_.agents.size(); ++i) {
        std::string why = agent_driver::unknown_cost(config_.agents[i].settings);
        if (!why.empty())
            problems_.add(*value.elements()[i].find("kind"),
                          base::concat("the budget is in dollars, and ", why, ", or set a budget in tokens"));
    }
}

// Done before the rest of the steps is read, so that `next` may name a later step.
void WorkflowReader::name_steps(const std::vector<View>& steps) {
    for (std::uint32_t i = 0; i < steps.size(); ++i) {
        auto view = name_of(steps[i]);
        if (!view) continue;
        std::string name = view->string();
        if (!is_step_name(name)) {
            problems_.add(
                *view,
                base::concat("a step's name has 1 to ", base::longest_name,
                             " characters, none of which is a control character, and not only blanks"));
        } else if (!config_.by_name.emplace(name, StepId{i}).second) {
            problems_.add(*view, base::concat("there are two steps named ", view->text()));
        }
    }
}

void WorkflowReader::read_steps(const std::vector<View>& steps) {
    for (View step : steps)
        config_.steps.push_back(read_step(step));
    if (!problems_.empty()) return;
    for (Step& step : config_.steps) {
        if (step.is_pool() && command_of(step) == nullptr)
            step.pool_instructions = generate_instructions(config_, step);
    }
}

Step WorkflowReader::read_step(View value) {
    Step step;
    FieldValues fields = FieldValues::read(value, step_type, problems_);
    if (auto name = fields.find("name")) step.name = name->string();
    if (auto schema = fields.find("value_schema")) step.value_schema = linked_.schema(*schema);
    step.pre = read_hook(fields, "pre");
    if (auto action = fields.find("action")) read_action(*action, step);
    step.post = read_hook(fields, "post");
    step.finally = read_hook(fields, "finally");
    if (auto gather = fields.find("gather")) step.gather = read_gather(*gather, fields);
    if (auto next = fields.find("next")) step.next = read_step_names(*next, "next");
    if (auto env = fields.find("env")) step.env = read_env(*env, problems_);
    step.env.insert(env_.begin(), env_.end());
    step.options = global_;
    if (auto options = fields.find("options")) {
        read_step_options(*options, step);
    } else {
        any_retries_ |= global_retries_;
    }
    if (step.is_human()) check_human_step(fields);
    return step;
}

void WorkflowReader::read_step_options(View value, Step& step) {
    FieldValues values = FieldValues::read(value, step_options_type, problems_);
    step.options = read_options(values, global_, problems_);
    read_order(values, step.options, problems_);
    bool retries = allows_retries(value, global_retries_);
    any_retries_ |= retries;
    auto backoff = values.find("retry_backoff");
    if (!backoff || retries) return;
    problems_.add(*backoff,
                  "\"retry_backoff\" has no effect without \"max_retries\": add a \"max_retries\" of "
                  "1 or more, here or in the options at the top, or remove it");
}

// It has an effect if any step retries.
void WorkflowReader::check_global_backoff() {
    if (!global_backoff_ || any_retries_ || config_.steps.empty()) return;
    problems_.add(
        *global_backoff_,
        "\"retry_backoff\" has no effect without \"max_retries\": add a \"max_retries\" of 1 or more, "
        "here or in a step's options, or remove it");
}

std::optional<Gather> WorkflowReader::read_gather(View value, const FieldValues& step) {
    if (step.find("finally"))
        problems_.add(value,
                      "a step has \"gather\" or \"finally\", not both: both come when a task and its "
                      "descendants have finished");
    FieldValues fields = FieldValues::read(value, gather_type, problems_);
    auto into = fields.find("into");
    auto of = fields.find("of");
    if (!into || !of) return std::nullopt;
    auto target = read_step_name(*into, "into");
    Gather gather{target.value_or(StepId{0}), read_step_names(*of, "of")};
    if (of->elements().empty()) problems_.add(*of, "\"of\" must name at least one step");
    return gather;
}

std::vector<StepId> WorkflowReader::read_step_names(View value, std::string_view what) {
    std::vector<StepId> names;
    for (View element : value.elements()) {
        auto id = read_step_name(element, what);
        if (!id) continue;
        if (std::ranges::find(names, *id) != names.end()) {
            problems_.add(element, base::concat(element.text(), " occurs twice in \"", what, "\""));
        }
        names.push_back(*id);
    }
    return names;
}

std::optional<StepId> WorkflowReader::read_step_name(View value, std::string_view what) {
    if (!value.is(Kind::string)) {
        problems_.add(
            value, base::concat("\"", what, "\" must name steps by strings, not ", kind_name(value.kind())));
        return std::nullopt;
    }
    std::string name = value.string();
    if (auto found = config_.find(name)) return found;
    std::vector<std::string_view> names;
    for (const auto& known : config_.by_name)
        names.push_back(known.first);
    std::ranges::sort(names);
    problems_.add(value, base::concat("\"", what, "\" names an unknown step ", value.text(),
                                      json::did_you_mean(name, names)));
    return std::nullopt;
}

}  // namespace config
