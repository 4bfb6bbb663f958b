#include "workflow/attempt.hpp"

#include "base/text.hpp"
#include "workflow/hooks.hpp"
#include "workflow/payload.hpp"

#include <memory>
#include <utility>

namespace workflow {

namespace {

constexpr std::string_view pre_hook = "pre hook";
constexpr std::string_view post_hook = "post hook";
constexpr std::string_view finally_hook = "finally hook";

EndAttempt end_with(ActionResult result) {
    if (auto* success = std::get_if<ActionSuccess>(&result)) return {std::move(success->next)};
    return {std::get<Failure>(std::move(result))};
}

// The failure that a failed post hook must not hide.
std::string earlier_failure(const ActionResult& result) {
    const auto* failure = std::get_if<Failure>(&result);
    return failure != nullptr ? base::concat("\nbefore that: ", failure->message) : std::string();
}

// A finally is the whole of its task, so its timeout is the task's.
Failure finally_failure(const ScriptFailure& ended) {
    Failure failure = hook_failure("finally", failure_message(finally_hook, ended));
    if (!ended.timed_out) return failure;
    failure.kind = Failure::Kind::timeout;
    failure.hook.clear();
    return failure;
}

}  // namespace

AttemptMachine::AttemptMachine(const config::WorkflowConfig& config, config::StepId step, Value value,
                               bool is_finally)
    : config_(config), step_(config.step(step)), input_(std::move(value)), is_finally_(is_finally) {}

AttemptAction AttemptMachine::begin() {
    if (is_finally_) return run(Phase::finally, finally_hook, *step_.finally, {"", input_, ""});
    if (step_.pre) return run(Phase::pre, pre_hook, *step_.pre, {"", input_, ""});
    return begin_action();
}

AttemptAction AttemptMachine::apply(AttemptEvent event) {
    Phase phase = std::exchange(phase_, std::nullopt).value();
    if (phase == Phase::pool)
        return begin_post(pool_result(config_, step_, std::get<PoolAnswer>(std::move(event))));
    ScriptEnd end = std::get<ScriptEnd>(std::move(event));
    if (phase == Phase::pre) return end_pre(end);
    if (phase == Phase::post) return end_post(end);
    if (phase == Phase::finally) return end_finally(end);
    return begin_post(command_result(config_, step_, std::move(end)));
}

AttemptAction AttemptMachine::begin_action() {
    if (auto* command = std::get_if<config::Command>(&step_.action))
        return run(Phase::command, "command", *command, command_input(step_, input_));
    phase_ = Phase::pool;
    return SubmitToPool{pool_payload(step_, input_)};
}

AttemptAction AttemptMachine::begin_post(ActionResult result) {
    if (!step_.post) return end_with(std::move(result));
    result_ = std::move(result);
    return run(Phase::post, post_hook, *step_.post, post_hook_input(*input_, result_));
}

AttemptAction AttemptMachine::end_pre(const ScriptEnd& end) {
    if (auto* failure = std::get_if<ScriptFailure>(&end))
        return begin_post(hook_failure("pre", failure_message(pre_hook, *failure)));
    auto value = read_pre_hook(std::get<ScriptOutput>(end).text);
    if (auto* failure = std::get_if<Failure>(&value)) return begin_post(std::move(*failure));
    input_ = std::make_shared<const std::string>(std::get<std::string>(std::move(value)));
    return begin_action();
}

AttemptAction AttemptMachine::end_post(const ScriptEnd& end) const {
    if (auto* failure = std::get_if<ScriptFailure>(&end))
        return EndAttempt{
            hook_failure("post", failure_message(post_hook, *failure) + earlier_failure(result_))};
    return EndAttempt{read_post_hook(config_, step_, result_, std::get<ScriptOutput>(end).text)};
}

AttemptAction AttemptMachine::end_finally(const ScriptEnd& end) const {
    if (auto* failure = std::get_if<ScriptFailure>(&end)) return EndAttempt{finally_failure(*failure)};
    const std::string& output = std::get<ScriptOutput>(end).text;
    auto tasks = config::parse_tasks(config_, output, "the finally hook's output");
    if (tasks) return EndAttempt{std::move(*tasks)};
    Failure failure;
    failure.kind = Failure::Kind::invalid_response;
    failure.message = base::concat(tasks.error().message, "\n", shortened(output));
    return EndAttempt{std::move(failure)};
}

AttemptAction AttemptMachine::run(Phase phase, std::string_view name, const config::Command& command,
                                  base::SplicedText input) {
    phase_ = phase;
    return RunScript{phase, name, command.script, std::move(input), step_.options.timeout};
}

}  // namespace workflow
