#include "workflow/action_result.hpp"

#include "base/text.hpp"
#include "base/text_parts.hpp"
#include "config/lenient_response.hpp"
#include "workflow/feedback.hpp"

#include <utility>

namespace workflow {

namespace {

constexpr std::size_t excerpt_size = 300;

Failure failed(Failure::Kind kind, std::string message) {
    Failure failure;
    failure.kind = kind;
    failure.message = std::move(message);
    return failure;
}

Failure command_failure(const ScriptFailure& ended) {
    Failure failure = failed(ended.timed_out ? Failure::Kind::timeout : Failure::Kind::command_failed,
                             failure_message("command", ended));
    failure.exit_code = ended.exit_code;
    failure.signal = ended.signal;
    failure.is_permanent = ended.is_permanent;
    return failure;
}

ActionResult read_response(const config::WorkflowConfig& config, const config::Step& step, std::string text,
                           const std::string& agent) {
    config::FoundResponse found = config::find_response(step, text);
    auto next = config::parse_response(config, step, found.text);
    if (next) {
        if (found.is_taken_out) text = std::string(found.text);
        return ActionSuccess{std::move(text), std::move(*next), found.is_taken_out};
    }
    Failure failure =
        failed(Failure::Kind::invalid_response, base::concat(agent.empty() ? "" : base::concat(agent, ": "),
                                                             next.error().message, "\n", shortened(text)));
    failure.response = feedback_text(text);
    return failure;
}

Failure to_failure(const PoolTimeout& timeout) {
    std::string message = timeout.agent.empty()
                              ? "no agent responded within the task's timeout"
                              : base::concat(timeout.agent, " did not respond within the task's timeout");
    if (!timeout.reason.empty()) message += base::concat("; ", timeout.reason);
    return failed(Failure::Kind::timeout, std::move(message));
}

Failure to_failure(const PoolRefusal& refusal) {
    return failed(Failure::Kind::invalid_response,
                  base::concat("not accepted by the pool: ", refusal.message));
}

Failure to_failure(AgentFailure ended) {
    std::string name = ended.name.empty() ? "" : base::concat(ended.name, ": ");
    Failure failure = failed(Failure::Kind::agent_failed, base::concat(name, ended.message));
    failure.exit_code = ended.exit_code;
    failure.signal = ended.signal;
    failure.name = std::move(ended.name);
    failure.is_permanent = ended.is_permanent;
    return failure;
}

Failure to_failure(AgentsLost lost) {
    return failed(Failure::Kind::agent_lost, std::move(lost.message));
}

}  // namespace

ActionResult command_result(const config::WorkflowConfig& config, const config::Step& step, ScriptEnd end) {
    if (auto* failure = std::get_if<ScriptFailure>(&end))
        return failure->printed_too_much ? too_large_response("invalid response", "command", step, *failure)
                                         : command_failure(*failure);
    return read_response(config, step, std::get<ScriptOutput>(std::move(end)).text, "");
}

ActionResult pool_result(const config::WorkflowConfig& config, const config::Step& step, PoolAnswer answer) {
    if (auto* response = std::get_if<PoolResponse>(&answer))
        return read_response(config, step, std::move(response->text), response->agent);
    if (auto* timeout = std::get_if<PoolTimeout>(&answer)) return to_failure(*timeout);
    if (auto* refusal = std::get_if<PoolRefusal>(&answer)) return to_failure(*refusal);
    if (auto* failure = std::get_if<AgentFailure>(&answer)) return to_failure(std::move(*failure));
    return to_failure(std::get<AgentsLost>(std::move(answer)));
}

Failure too_large_response(std::string_view what, std::string_view name, const config::Step& step,
                           const ScriptFailure& ended) {
    return failed(
        Failure::Kind::invalid_response,
        base::concat(what, ": ", config::too_many_bytes(step.options), "\n", failure_message(name, ended)));
}

std::string failure_message(std::string_view name, const ScriptFailure& failure) {
    return base::concat("the ", name, " ", failure.description);
}

std::string shortened(std::string_view text) {
    text = text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
    if (text.empty()) return "it was empty";
    if (text.size() <= excerpt_size) return base::concat("it was: ", text);
    return base::concat("it began with: ", base::cut_to(text, excerpt_size), "…");
}

}  // namespace workflow
