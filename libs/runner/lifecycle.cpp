#include "runner/lifecycle.hpp"

#include "base/digest.hpp"
#include "base/text.hpp"
#include "config/response.hpp"
#include "io/log.hpp"
#include "pool_protocol/agent_label.hpp"
#include "workflow/payload.hpp"

#include <boost/asio/use_awaitable.hpp>

#include <utility>
#include <variant>
#include <vector>

namespace runner {

namespace asio = boost::asio;
using pool_protocol::Answer;
using workflow::AttemptResult;
using workflow::Failure;
using workflow::Value;

namespace {

Failure failed(Failure::Kind kind, std::string message) {
    Failure failure;
    failure.kind = kind;
    failure.message = std::move(message);
    return failure;
}

Failure command_failure(const process::ChildResult& result) {
    using End = process::ChildResult::End;
    std::string message = failure_message("command", result);
    if (result.end == End::timed_out) return failed(Failure::Kind::timeout, std::move(message));
    Failure failure = failed(Failure::Kind::command_failed, std::move(message));
    if (result.end == End::exited) failure.exit_code = result.code;
    if (result.end == End::signalled) failure.signal = result.code;
    return failure;
}

std::string timeout_message(const Answer& answer) {
    std::string message = answer.agent.empty() ? "no agent answered within the task's timeout"
                                               : base::concat(pool_protocol::agent_label(answer.agent),
                                                              " did not answer within the task's timeout");
    return answer.text.empty() ? message : base::concat(message, "; ", answer.text);
}

Failure agent_failure(const Answer& answer) {
    Failure failure = failed(Failure::Kind::agent_failed, answer.text);
    failure.exit_code = answer.exit_code;
    failure.signal = answer.signal;
    return failure;
}

// What a failed post hook must not hide.
std::string earlier_failure(const workflow::ActionResult& result) {
    const auto* failure = std::get_if<Failure>(&result);
    return failure != nullptr ? base::concat("\nbefore that: ", failure->message) : std::string();
}

// A finally is the whole of its task, so that its timeout is the task's.
Failure finally_failure(const process::ChildResult& result) {
    std::string message = failure_message("finally hook", result);
    if (result.end == process::ChildResult::End::timed_out)
        return failed(Failure::Kind::timeout, std::move(message));
    return workflow::hook_failure("finally", std::move(message));
}

}  // namespace

asio::awaitable<base::Result<AttemptResult>> Lifecycle::run(Attempt attempt, Job job) {
    if (attempt.is_finally) {
        AttemptResult result = co_await run_finally(std::move(attempt), std::move(job));
        co_return result;
    }
    auto prepared = co_await run_pre(attempt, job);
    Value input = attempt.value;
    ActionResult result;
    if (auto* failure = std::get_if<Failure>(&prepared)) {
        result = std::move(*failure);
    } else {
        input = std::get<Value>(prepared);
        base::Result<ActionResult> acted = co_await run_action(attempt, input, job);
        if (!acted) co_return acted.error();
        result = std::move(*acted);
    }
    AttemptResult outcome = co_await run_post(attempt, std::move(input), std::move(result), job);
    co_return outcome;
}

asio::awaitable<AttemptResult> Lifecycle::run_finally(Attempt attempt, Job job) {
    enter(attempt, Phase::finally);
    LocalProcess process{"finally hook", config_.step(attempt.step).finally->script, {"", attempt.value, ""}};
    process::ChildResult result = co_await run_process(attempt, std::move(process), job);
    if (!result.succeeded()) co_return finally_failure(result);
    auto tasks = config::parse_tasks(config_, result.output, "the finally hook's output");
    if (!tasks)
        co_return failed(Failure::Kind::invalid_response,
                         base::concat(tasks.error().message, "\n", workflow::shortened(result.output)));
    co_return std::move(*tasks);
}

// The value that the action gets: the pre hook's, or the task's own.
asio::awaitable<std::variant<Value, Failure>> Lifecycle::run_pre(const Attempt& attempt, Job& job) {
    const config::Step& step = config_.step(attempt.step);
    if (!step.pre) co_return attempt.value;
    enter(attempt, Phase::pre);
    LocalProcess process{"pre hook", step.pre->script, {"", attempt.value, ""}};
    process::ChildResult result = co_await run_process(attempt, std::move(process), job);
    if (!result.succeeded()) co_return workflow::hook_failure("pre", failure_message("pre hook", result));
    auto value = workflow::read_pre_hook(result.output);
    if (auto* failure = std::get_if<Failure>(&value)) co_return std::move(*failure);
    co_return std::make_shared<const std::string>(std::get<std::string>(std::move(value)));
}

asio::awaitable<base::Result<workflow::ActionResult>> Lifecycle::run_action(const Attempt& attempt,
                                                                            Value input, Job& job) {
    if (config_.step(attempt.step).is_pool()) {
        job.release();
        base::Result<ActionResult> answered = co_await run_pool(attempt, std::move(input));
        co_return answered;
    }
    ActionResult result = co_await run_command(attempt, std::move(input), job);
    co_return result;
}

asio::awaitable<workflow::ActionResult> Lifecycle::run_command(const Attempt& attempt, Value input,
                                                               Job& job) {
    const config::Step& step = config_.step(attempt.step);
    enter(attempt, Phase::command);
    LocalProcess process{"command", std::get<config::Command>(step.action).script,
                         workflow::command_input(step, std::move(input))};
    process::ChildResult result = co_await run_process(attempt, std::move(process), job);
    if (!result.succeeded()) co_return command_failure(result);
    co_return read_response(step, std::move(result.output), "");
}

asio::awaitable<base::Result<workflow::ActionResult>> Lifecycle::run_pool(const Attempt& attempt,
                                                                          Value input) {
    const config::Step& step = config_.step(attempt.step);
    enter(attempt, Phase::pool);
    base::SplicedText payload = workflow::pool_payload(step, std::move(input));
    std::string id = submission_id(attempt, payload);
    base::Result<Answer> answer = co_await submitter_->submit(std::move(id), std::move(payload));
    if (!answer) co_return answer.error();
    switch (answer->kind) {
        case Answer::Kind::processed:
            co_return read_response(step, std::move(answer->text), answer->agent);
        case Answer::Kind::timeout:
            co_return ActionResult(failed(Failure::Kind::timeout, timeout_message(*answer)));
        case Answer::Kind::invalid:
            co_return ActionResult(failed(Failure::Kind::invalid_response,
                                          base::concat("not accepted by the pool: ", answer->text)));
        case Answer::Kind::failed:
            co_return ActionResult(agent_failure(*answer));
        case Answer::Kind::lost:
            co_return ActionResult(failed(Failure::Kind::agent_lost, answer->text));
        case Answer::Kind::stopped:
            break;
    }
    co_return base::Error{boost::system::errc::make_error_code(boost::system::errc::host_unreachable),
                          "the pool was stopped"};
}

// With the payload in it: a log that is resumed twice may give the same number to different tasks.
std::string Lifecycle::submission_id(const Attempt& attempt, const base::SplicedText& payload) const {
    std::string name = base::concat(first_run_id_, " ", attempt.task.value);
    for (std::string_view piece : payload.pieces())
        name += base::concat(" ", base::digest(piece));
    return pool_client::id_of(name);
}

asio::awaitable<AttemptResult> Lifecycle::run_post(const Attempt& attempt, Value input, ActionResult result,
                                                   Job& job) {
    const config::Step& step = config_.step(attempt.step);
    if (!step.post) {
        if (auto* success = std::get_if<workflow::ActionSuccess>(&result)) co_return std::move(success->next);
        co_return std::get<Failure>(std::move(result));
    }
    enter(attempt, Phase::post);
    LocalProcess process{"post hook", step.post->script, workflow::post_hook_input(*input, result)};
    process::ChildResult ended = co_await run_process(attempt, std::move(process), job);
    if (!ended.succeeded())
        co_return workflow::hook_failure("post",
                                         failure_message("post hook", ended) + earlier_failure(result));
    co_return workflow::read_post_hook(config_, step, result, ended.output);
}

asio::awaitable<process::ChildResult> Lifecycle::run_process(const Attempt& attempt, LocalProcess process,
                                                             Job& job) {
    if (!job) job = co_await jobs_.acquire();
    process::ChildResult result = co_await run_local(config_, run_id_, attempt, std::move(process));
    co_return result;
}

workflow::ActionResult Lifecycle::read_response(const config::Step& step, std::string text,
                                                const std::string& agent) const {
    auto next = config::parse_response(config_, step, text);
    if (!next)
        return failed(Failure::Kind::invalid_response,
                      base::concat(agent.empty() ? "" : base::concat(pool_protocol::agent_label(agent), ": "),
                                   next.error().message, "\n", workflow::shortened(text)));
    return workflow::ActionSuccess{std::move(text), std::move(*next)};
}

}  // namespace runner
