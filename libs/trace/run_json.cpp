#include "trace/run_json.hpp"

#include "config/finally_steps.hpp"
#include "json/json.hpp"
#include "json_schema/schema.hpp"
#include "statelog/entry_json.hpp"
#include "trace/json_pieces.hpp"

#include <chrono>
#include <vector>

namespace trace {

namespace {

using config::Step;
using config::WorkflowConfig;
using Seconds = std::chrono::duration<double>;

std::string names(const WorkflowConfig& config, const std::vector<config::StepId>& steps) {
    std::string text;
    for (config::StepId step : steps)
        append(text, text.empty() ? "[" : ",", json::quote(config.step(step).name));
    return text.empty() ? "[]" : text + "]";
}

std::string_view action_name(const Step& step) {
    if (config::command_of(step) != nullptr) return "Command";
    return step.is_pool() ? "Pool" : "Human";
}

std::string seconds_or_null(std::optional<Seconds> duration) {
    return duration ? number(duration->count()) : "null";
}

// What a person or an agent sees.
std::string instructions_json(const Step& step) {
    if (config::command_of(step) != nullptr) return "null";
    if (step.is_pool()) return json::quote(step.pool_instructions);
    return json::quote(config::instructions_of(step));
}

std::string script_json(const Step& step) {
    const config::Command* command = config::command_of(step);
    return command ? json::quote(command->script) : "null";
}

std::string gather_json(const WorkflowConfig& config, const Step& step) {
    if (!step.gather) return "null";
    return base::concat("{\"into\":", json::quote(config.step(step.gather->into).name),
                        ",\"of\":", names(config, step.gather->of), "}");
}

std::string labels_json(const Step& step) {
    const base::Labels* labels = config::labels_of(step);
    return labels == nullptr ? "[]" : json::quoted_list(labels->texts());
}

// The options that apply to the step, under their names in a config.
std::string options_json(const Step& step) {
    const config::StepOptions& options = step.options;
    std::string text = base::concat(
        "{\"timeout\":", seconds_or_null(options.timeout), ",\"max_retries\":", options.max_retries,
        ",\"retry_on_timeout\":", truth(options.retry_on_timeout),
        ",\"retry_on_invalid_response\":", truth(options.retry_on_invalid_response), ",\"retry_backoff\":");
    if (const auto& backoff = options.retry_backoff)
        append(text, "{\"initial\":", number(backoff->initial.count()),
               ",\"factor\":", number(backoff->factor), ",\"max\":", seconds_or_null(backoff->max),
               ",\"jitter\":", number(backoff->jitter), "}");
    else
        append(text, "null");
    append(text, ",\"retry_feedback\":", truth(options.retry_feedback),
           ",\"lenient_response\":", truth(options.lenient_response),
           ",\"max_response_bytes\":", options.max_response_bytes,
           ",\"max_tasks_per_response\":", options.max_tasks_per_response,
           ",\"max_concurrency\":", number_or_null(options.max_concurrency),
           ",\"priority\":", options.priority,
           ",\"serial_key\":", options.serial_key ? json::quote(options.serial_key->pointer) : "null",
           ",\"labels\":", labels_json(step));
    const auto* human = std::get_if<config::HumanAction>(&step.action);
    if (human != nullptr) append(text, ",\"expires\":", seconds_or_null(human->expires));
    return text + "}";
}

std::string step_json(const WorkflowConfig& config, const Step& step) {
    return base::concat(
        "{\"name\":", json::quote(step.name), ",\"action\":\"", action_name(step),
        "\",\"next\":", names(config, step.next), ",\"pre\":", truth(step.pre.has_value()),
        ",\"post\":", truth(step.post.has_value()), ",\"finally\":", truth(step.finally.has_value()),
        ",\"finally_next\":", names(config, config::finally_steps(config, step).named),
        ",\"gather\":", gather_json(config, step), ",\"script\":", script_json(step),
        ",\"instructions\":", instructions_json(step),
        ",\"value_schema\":", step.value_schema ? std::string_view(step.value_schema->text()) : "null",
        ",\"options\":", options_json(step), "}");
}

void append_counts(std::string& out, const std::string& step, bool is_finally, const Counts& counts) {
    append(out, "{\"step\":", json::quote(step), ",\"finally\":", truth(is_finally),
           ",\"tasks\":", counts.tasks, ",\"waiting\":", counts.open(), ",\"done\":", counts.done,
           ",\"dropped\":", counts.dropped, ",\"retried\":", counts.retried, ",\"timed\":", counts.timed,
           ",\"total_ms\":", number(counts.total_ms), ",\"longest_ms\":", number(counts.longest_ms), "}");
}

}  // namespace

std::string steps_json(const WorkflowConfig& config) {
    std::string text = "[";
    for (const Step& step : config.steps)
        append(text, text.size() > 1 ? "," : "", step_json(config, step));
    return text + "]";
}

std::string run_json(const Trace& trace, std::string_view run, bool is_live) {
    const WorkflowConfig& config = *trace.config();
    std::string agents;
    for (const std::string& name : trace.agents())
        append(agents, agents.empty() ? "" : ",", json::quote(name));
    return base::concat("{\"run\":", run, ",\"entrypoint\":",
                        config.entrypoint ? json::quote(config.step(*config.entrypoint).name) : "null",
                        ",\"steps\":", steps_json(config), ",\"agents\":[", agents,
                        "],\"unreported\":", statelog::usage_json(trace.unreported().table(), config),
                        ",\"position\":\"", to_string(trace.position()), "\",\"live\":", truth(is_live), "}");
}

std::string sums_json(const Trace& trace) {
    const WorkflowConfig& config = *trace.config();
    std::string text = "{\"steps\":[";
    for (std::size_t i = 0; i < trace.tallies().size(); ++i) {
        const Tally& tally = trace.tallies()[i];
        const Step& step = config.steps[i];
        append(text, i == 0 ? "" : ",");
        append_counts(text, step.name, false, tally.tasks);
        if (!step.has_finally()) continue;
        append(text, ",");
        append_counts(text, step.name, true, tally.finallys);
    }
    append(text, "],\"usage\":", statelog::usage_json(trace.usage(), config), "}");
    return text;
}

}  // namespace trace
