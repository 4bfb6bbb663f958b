#include "config/description.hpp"

#include "base/markdown.hpp"
#include "base/text.hpp"
#include "config/finally_steps.hpp"
#include "config/graph.hpp"
#include "config/pool_step.hpp"
#include "json/json.hpp"
#include "json_schema/schema.hpp"

#include <string_view>

namespace config {

namespace {

// Escapes characters that are markup in markdown text.
std::string escaped(std::string_view text) {
    std::string out;
    for (char c : text) {
        if (std::string_view("\\`*_[]<>#|&").find(c) != std::string_view::npos) out += '\\';
        out += c;
    }
    return out;
}

std::string fenced(std::string_view language, std::string_view text) {
    return base::code_block(language, text) + "\n\n";
}

std::string list_of(const WorkflowConfig& config, const std::vector<StepId>& ids) {
    std::string out;
    for (StepId id : ids)
        out += base::concat(out.empty() ? "" : ", ", escaped(config.step(id).name));
    return out;
}

// "1.5 s"
std::string seconds(std::chrono::duration<double> span) {
    std::string text = std::to_string(span.count());
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) text.pop_back();
    return text + " s";
}

std::string backoff_text(const RetryBackoff& backoff) {
    std::string out = base::concat("the first after ", seconds(backoff.initial));
    if (backoff.max) out += base::concat(", later ones after at most ", seconds(*backoff.max));
    return out;
}

// "" if the options say nothing of it.
std::string order_text(const StepOptions& options) {
    std::string out;
    if (options.max_concurrency)
        out += base::concat("- At the same time: at most ", *options.max_concurrency, "\n");
    if (options.priority != 0) out += base::concat("- Priority: ", options.priority, "\n");
    if (options.serial_key)
        out += base::concat(
            "- Serial key: ",
            options.serial_key->pointer.empty() ? "the whole value" : escaped(options.serial_key->pointer),
            "\n");
    return out;
}

// Nothing if the limits are the usual ones.
std::string response_text(const StepOptions& options) {
    StepOptions usual;
    std::string out;
    if (options.max_tasks_per_response != usual.max_tasks_per_response)
        out += base::concat("- A response has at most ",
                            base::counted(options.max_tasks_per_response, "task"), "\n");
    if (options.max_response_bytes != usual.max_response_bytes)
        out += base::concat("- A response has at most ", base::counted(options.max_response_bytes, "byte"),
                            "\n");
    return out;
}

std::string options_text(const StepOptions& options) {
    std::string out =
        "- Timeout: " + (options.timeout ? options.timeout_text + " s for each phase" : "none") + "\n";
    out += base::concat("- Retries: ", options.max_retries);
    if (options.max_retries > 0 && options.retry_backoff)
        out += base::concat(", ", backoff_text(*options.retry_backoff));
    if (options.max_retries > 0 && !options.retry_on_timeout) out += "; not after a timeout";
    if (options.max_retries > 0 && !options.retry_on_invalid_response)
        out += "; not after an invalid response";
    if (options.max_retries > 0 && !options.retry_feedback)
        out += "; they are not told of the attempts before them";
    if (options.lenient_response) out += "\n- Its response may have text around it";
    return out + "\n" + response_text(options) + order_text(options);
}

// The names only: a value may be a secret.
std::string env_text(const Step& step) {
    std::string names;
    for (const auto& [name, value] : step.env)
        names += base::concat(names.empty() ? "" : ", ", escaped(name));
    return names.empty() ? "" : base::concat("- Environment: ", names, "\n");
}

std::string bounds_text(const Bounds& bounds) {
    std::string out;
    if (bounds.max_tasks)
        out += base::concat("It has at most ", base::counted(*bounds.max_tasks, "task"), ".\n\n");
    if (bounds.max_depth) out += base::concat("Tasks descend at most to depth ", *bounds.max_depth, ".\n\n");
    if (bounds.max_run_seconds)
        out += base::concat("It starts tasks for ", seconds(*bounds.max_run_seconds), ".\n\n");
    return out;
}

std::string finally_text(const WorkflowConfig& config, const Step& step) {
    if (step.gather)
        return base::concat(
            "- When all its descendants have finished: ", list_of(config, {step.gather->into}),
            ", with the results of ", list_of(config, step.gather->of), "\n");
    FinallySteps emitted = finally_steps(config, step);
    if (emitted.is_open) return "- When all its descendants have finished: what its finally emits\n";
    if (emitted.named.empty()) return "";
    return base::concat("- When all its descendants have finished: ", list_of(config, emitted.named), "\n");
}

std::string transitions_text(const WorkflowConfig& config, const Step& step) {
    std::string next = step.next.empty() ? "nothing (terminal step)" : list_of(config, step.next);
    return base::concat("- Leads to: ", next, "\n", finally_text(config, step));
}

std::string worker_text(const Step& step) {
    if (const auto* human = std::get_if<HumanAction>(&step.action))
        return human->expires ? "a person, within " + seconds(*human->expires) : "a person";
    if (!step.is_pool()) return "a command";
    return (command_of(step) != nullptr ? "a command, run by " : "") + escaped(agent_text(step));
}

std::string action_text(const Step& step) {
    if (const Command* command = command_of(step)) return "The command:\n\n" + fenced("sh", command->script);
    const std::string& instructions = instructions_of(step);
    if (instructions.find_first_not_of(" \t\r\n") == std::string::npos)
        return "There are no instructions.\n\n";
    return "The instructions:\n\n" + fenced("markdown", instructions);
}

std::string hook_text(std::string_view name, const std::optional<Command>& hook) {
    return hook ? base::concat("The ", name, " hook:\n\n", fenced("sh", hook->script)) : "";
}

std::string step_text(const WorkflowConfig& config, const Step& step) {
    std::string out = base::concat("### ", escaped(step.name), "\n\n");
    out += base::concat("- Done by: ", worker_text(step), "\n");
    out += transitions_text(config, step) +
           (step.is_human() ? response_text(step.options) : options_text(step.options)) + env_text(step) +
           "\n";
    out += action_text(step);
    out += hook_text("pre", step.pre) + hook_text("post", step.post) + hook_text("finally", step.finally);
    if (!step.value_schema) return out + "Its value may be anything.\n\n";
    return out + "Its value:\n\n" + fenced("json", json::pretty(json::View::of(step.value_schema->text())));
}

}  // namespace

std::string describe(const WorkflowConfig& config, const std::string& title) {
    std::string out = base::concat("# ", escaped(title), "\n\n");
    if (config.entrypoint)
        out += base::concat("A run starts with ", escaped(config.step(*config.entrypoint).name), ".\n\n");
    if (config.max_concurrency)
        out += base::concat("At most ", base::counted(*config.max_concurrency, "task"),
                            *config.max_concurrency == 1 ? " runs" : " run", " at the same time.\n\n");
    out += bounds_text(config.bounds);
    out += base::concat("## Graph\n\n", fenced("mermaid", mermaid_graph(config)), "## Steps\n\n");
    for (const Step& step : config.steps)
        out += step_text(config, step);
    out.pop_back();
    return out;
}

std::string transitions(const WorkflowConfig& config) {
    std::string out;
    for (const Step& step : config.steps) {
        std::string next;
        for (StepId id : step.next)
            next += base::concat(next.empty() ? "" : ", ", config.step(id).name);
        std::string gather = step.gather ? "; gathered into " + config.step(step.gather->into).name : "";
        out += base::concat(step.name, " -> ", next.empty() ? "(terminal)" : next, gather, "\n");
    }
    return out;
}

}  // namespace config
