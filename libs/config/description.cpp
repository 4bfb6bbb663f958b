#include "config/description.hpp"

#include "base/text.hpp"
#include "config/finally_steps.hpp"
#include "config/graph.hpp"
#include "json/json.hpp"
#include "json_schema/schema.hpp"

#include <algorithm>
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

// A fenced code block. The fence is longer than any run of backticks in the text.
std::string fenced(std::string_view language, std::string_view text) {
    std::size_t longest = 0;
    std::size_t run = 0;
    for (char c : text) {
        run = c == '`' ? run + 1 : 0;
        longest = std::max(longest, run);
    }
    std::string fence(std::max<std::size_t>(3, longest + 1), '`');
    return base::concat(fence, language, "\n", text, text.ends_with('\n') ? "" : "\n", fence, "\n\n");
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

std::string options_text(const StepOptions& options) {
    std::string out =
        "- Timeout: " + (options.timeout ? options.timeout_text + " s for each phase" : "none") + "\n";
    out += base::concat("- Retries: ", options.max_retries);
    if (options.max_retries > 0 && options.retry_backoff)
        out += base::concat(", ", backoff_text(*options.retry_backoff));
    if (options.max_retries > 0 && !options.retry_on_timeout) out += "; not after a timeout";
    if (options.max_retries > 0 && !options.retry_on_invalid_response)
        out += "; not after an invalid response";
    return out + "\n";
}

std::string finally_text(const WorkflowConfig& config, const Step& step) {
    FinallySteps emitted = finally_steps(config, step);
    if (emitted.is_open) return "- When all its descendants have finished: what its finally emits\n";
    if (emitted.named.empty()) return "";
    return base::concat("- When all its descendants have finished: ", list_of(config, emitted.named), "\n");
}

std::string transitions_text(const WorkflowConfig& config, const Step& step) {
    std::string next = step.next.empty() ? "nothing (terminal step)" : list_of(config, step.next);
    return base::concat("- Leads to: ", next, "\n", finally_text(config, step));
}

std::string action_text(const Step& step) {
    if (const auto* command = std::get_if<Command>(&step.action))
        return "The command:\n\n" + fenced("sh", command->script);
    const std::string& instructions = std::get<PoolAction>(step.action).instructions;
    if (instructions.find_first_not_of(" \t\r\n") == std::string::npos)
        return "There are no instructions.\n\n";
    return "The instructions:\n\n" + fenced("markdown", instructions);
}

std::string hook_text(std::string_view name, const std::optional<Command>& hook) {
    return hook ? base::concat("The ", name, " hook:\n\n", fenced("sh", hook->script)) : "";
}

std::string step_text(const WorkflowConfig& config, const Step& step) {
    std::string out = base::concat("### ", escaped(step.name), "\n\n");
    out += step.is_pool() ? "- Done by: an agent of the pool\n" : "- Done by: a command\n";
    out += transitions_text(config, step) + options_text(step.options) + "\n";
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
        out += base::concat(step.name, " -> ", next.empty() ? "(terminal)" : next, "\n");
    }
    return out;
}

}  // namespace config
