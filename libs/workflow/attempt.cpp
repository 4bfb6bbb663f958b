#include "workflow/attempt.hpp"

#include "base/text.hpp"
#include "config/image_paths.hpp"
#include "json/json.hpp"
#include "workflow/hooks.hpp"
#include "workflow/payload.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace workflow {

namespace {

constexpr std::string_view pre_hook = "pre hook";
constexpr std::string_view post_hook = "post hook";
constexpr std::string_view finally_hook = "finally hook";

constexpr std::size_t max_hook_output = std::size_t{64} << 20;  // what a pre or post hook may print
constexpr std::size_t beside_the_response = 4096;               // in the output of a post hook

std::size_t max_output(const config::Step& step, Phase phase) {
    std::size_t response = step.options.max_response_bytes;
    if (phase == Phase::pre) return max_hook_output;
    return phase == Phase::post ? std::max(max_hook_output, response + beside_the_response) : response;
}

EndAttempt end_with(ActionResult result) {
    if (auto* success = std::get_if<ActionSuccess>(&result)) return {std::move(success->next)};
    return {std::get<Failure>(std::move(result))};
}

// The failure that a failed post hook must not hide.
std::string earlier_failure(const ActionResult& result) {
    const auto* failure = std::get_if<Failure>(&result);
    return failure != nullptr ? base::concat("\nbefore that: ", failure->message) : std::string();
}

// What the action had answered, for the attempts to come.
std::optional<std::string> response_in(const ActionResult& result) {
    if (const auto* success = std::get_if<ActionSuccess>(&result)) return feedback_text(success->output);
    return std::get<Failure>(result).response;
}

std::optional<pool_protocol::AgentReport> report_of(const PoolAnswer& answer) {
    return std::visit(
        []<class Kind>(const Kind& kind) -> std::optional<pool_protocol::AgentReport> {
            if constexpr (requires { kind.report; })
                return kind.report;
            else
                return std::nullopt;
        },
        answer);
}

Failure failed_hook(std::string hook, std::string message, const ScriptFailure& ended) {
    Failure failure = hook_failure(std::move(hook), std::move(message));
    failure.is_permanent = ended.is_permanent;
    return failure;
}

// No agent gets the task. Only a pre hook could make another value.
Failure without_images(std::string message, const config::Step& step) {
    Failure failure;
    failure.kind = Failure::Kind::agent_failed;
    failure.name = "images";
    failure.message = std::move(message);
    failure.is_permanent = !step.pre;
    return failure;
}

// A finally is the whole of its task, so its timeout is the task's, and what it prints the task's response.
Failure finally_failure(const config::Step& step, const ScriptFailure& ended) {
    if (ended.printed_too_much)
        return too_large_response("the finally hook's output", finally_hook, step, ended);
    Failure failure = failed_hook("finally", failure_message(finally_hook, ended), ended);
    if (!ended.timed_out) return failure;
    failure.kind = Failure::Kind::timeout;
    failure.hook.clear();
    return failure;
}

}  // namespace

AttemptMachine::AttemptMachine(const config::WorkflowConfig& config, config::StepId step, Value value,
                               bool is_finally, PreviousAttempts previous)
    : config_(config),
      step_(config.step(step)),
      input_(std::move(value)),
      is_finally_(is_finally),
      previous_(std::move(previous)) {}

AttemptAction AttemptMachine::begin() {
    if (is_finally_) return begin_finally();
    if (step_.pre) return run(Phase::pre, pre_hook, *step_.pre, {"", input_, ""});
    return begin_action();
}

AttemptAction AttemptMachine::apply(AttemptEvent event) {
    Phase phase = std::exchange(phase_, std::nullopt).value();
    AttemptAction action = go_on(phase, std::move(event));
    if (auto* end = std::get_if<EndAttempt>(&action)) {
        end->report = std::move(report_);
        end->is_lenient = is_lenient_;
    }
    return action;
}

AttemptAction AttemptMachine::go_on(Phase phase, AttemptEvent event) {
    // A Command on the pool has ended as it would here, unless no agent has run it.
    bool was_run = std::holds_alternative<ScriptEnd>(event) && config::command_of(step_) != nullptr;
    if (phase == Phase::pool && !was_run) {
        auto answer = std::get<PoolAnswer>(std::move(event));
        report_ = report_of(answer);
        return begin_post(pool_result(config_, step_, std::move(answer)));
    }
    if (const auto* gathered = std::get_if<GatherEnd>(&event)) return end_gather(*gathered);
    ScriptEnd end = std::get<ScriptEnd>(std::move(event));
    if (phase == Phase::pre) return end_pre(end);
    if (phase == Phase::post) return end_post(end);
    if (phase == Phase::finally) return end_finally(end);
    return begin_post(command_result(config_, step_, std::move(end)));
}

AttemptAction AttemptMachine::begin_finally() {
    if (step_.finally) return run(Phase::finally, finally_hook, *step_.finally, {"", input_, ""});
    phase_ = Phase::finally;
    return GatherResults{&*step_.gather};
}

AttemptAction AttemptMachine::begin_action() {
    if (const config::Command* command = config::command_of(step_))
        return run(step_.is_pool() ? Phase::pool : Phase::command, "command", *command,
                   command_input(step_, input_));
    auto images = config::image_paths(step_, *input_);
    if (images.has_error()) return begin_post(without_images(images.error().message, step_));
    phase_ = Phase::pool;
    return SubmitToPool{pool_payload(step_, input_, previous_, *images)};
}

AttemptAction AttemptMachine::begin_post(ActionResult result) {
    const auto* success = std::get_if<ActionSuccess>(&result);
    is_lenient_ = success && success->is_lenient;
    if (!step_.post) return end_with(std::move(result));
    result_ = std::move(result);
    return run(Phase::post, post_hook, *step_.post, post_hook_input(*input_, result_));
}

AttemptAction AttemptMachine::end_pre(const ScriptEnd& end) {
    if (auto* failure = std::get_if<ScriptFailure>(&end))
        return begin_post(failed_hook("pre", failure_message(pre_hook, *failure), *failure));
    auto value = read_pre_hook(std::get<ScriptOutput>(end).text);
    if (auto* failure = std::get_if<Failure>(&value)) return begin_post(std::move(*failure));
    input_ = std::make_shared<const std::string>(std::get<std::string>(std::move(value)));
    return begin_action();
}

AttemptAction AttemptMachine::end_post(const ScriptEnd& end) const {
    AttemptResult result = result_of_post(end);
    if (auto* failure = std::get_if<Failure>(&result)) failure->response = response_in(result_);
    return EndAttempt{std::move(result)};
}

AttemptResult AttemptMachine::result_of_post(const ScriptEnd& end) const {
    if (auto* failure = std::get_if<ScriptFailure>(&end))
        return failed_hook("post", failure_message(post_hook, *failure) + earlier_failure(result_), *failure);
    return read_post_hook(config_, step_, result_, std::get<ScriptOutput>(end).text);
}

AttemptAction AttemptMachine::end_finally(const ScriptEnd& end) const {
    if (auto* failure = std::get_if<ScriptFailure>(&end)) return EndAttempt{finally_failure(step_, *failure)};
    const std::string& output = std::get<ScriptOutput>(end).text;
    auto tasks = config::parse_tasks(config_, step_, output, "the finally hook's output");
    if (tasks) return EndAttempt{std::move(*tasks)};
    Failure failure;
    failure.kind = Failure::Kind::invalid_response;
    failure.message = base::concat(tasks.error().message, "\n", shortened(output));
    failure.response = feedback_text(output);
    return EndAttempt{std::move(failure)};
}

// A task that is not valid is a permanent failure: the same results would not fit the next time either.
AttemptAction AttemptMachine::end_gather(const GatherEnd& end) const {
    if (const auto* error = std::get_if<GatherError>(&end))
        return EndAttempt{
            hook_failure("gather", base::concat("gathering the results failed: ", error->message))};
    const auto& gathered = std::get<Gathered>(end);
    // A person is not asked about results of which a task was dropped.
    if (gathered.is_task_dropped && config_.step(step_.gather->into).is_human())
        return EndAttempt{std::vector<config::NewTask>()};
    std::string task = base::concat(R"([{"kind":)", json::quote(config_.step(step_.gather->into).name),
                                    R"(,"value":{"value":)", *input_, R"(,"results":)", gathered.results,
                                    R"(,"dropped":)", gathered.dropped, "}}]");
    auto tasks = config::parse_tasks(config_, step_, task, "the task of the gathered results");
    if (tasks) return EndAttempt{std::move(*tasks)};
    Failure failure;
    failure.kind = Failure::Kind::invalid_response;
    failure.message = std::move(tasks.error().message);
    failure.is_permanent = true;
    return EndAttempt{std::move(failure)};
}

AttemptAction AttemptMachine::run(Phase phase, std::string_view name, const config::Command& command,
                                  base::SplicedText input) {
    phase_ = phase;
    return RunScript{
        phase, name, command.script, std::move(input), step_.options.timeout, max_output(step_, phase)};
}

}  // namespace workflow
