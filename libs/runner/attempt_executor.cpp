#include "runner/attempt_executor.hpp"

#include "base/checksum.hpp"
#include "base/text.hpp"
#include "config/response_schema.hpp"
#include "pool_protocol/agent_label.hpp"
#include "pool_protocol/command_task.hpp"
#include "runner/pool_command.hpp"
#include "runner/redacted.hpp"

#include <boost/asio/use_awaitable.hpp>

#include <chrono>
#include <memory>
#include <string_view>
#include <utility>
#include <variant>

namespace runner {

namespace asio = boost::asio;
using pool_protocol::Answer;

namespace {

using EventOrError = base::Result<workflow::AttemptEvent>;
using workflow::PoolAnswer;

std::string label_or_nothing(const pool_protocol::AgentName& agent) {
    return agent.text().empty() ? std::string() : pool_protocol::agent_label(agent);
}

EventOrError event_of(pool_protocol::Processed&& answer) {
    return PoolAnswer(workflow::PoolResponse{std::move(answer.response), label_or_nothing(answer.agent),
                                             std::move(answer.report)});
}

EventOrError event_of(pool_protocol::TimedOut&& answer) {
    return PoolAnswer(workflow::PoolTimeout{label_or_nothing(answer.agent), std::move(answer.last_error),
                                            std::move(answer.report)});
}

EventOrError event_of(pool_protocol::Stopped&&) {
    return base::Error{boost::system::errc::make_error_code(boost::system::errc::host_unreachable),
                       "the pool was stopped"};
}

EventOrError event_of(pool_protocol::Invalid&& answer) {
    return PoolAnswer(workflow::PoolRefusal{std::move(answer.message)});
}

EventOrError event_of(pool_protocol::AgentFailed&& answer) {
    return PoolAnswer(workflow::AgentFailure{std::move(answer.message), answer.exit_code, answer.signal,
                                             std::move(answer.failure), answer.is_permanent,
                                             std::move(answer.report)});
}

EventOrError event_of(pool_protocol::AgentsLost&& answer) {
    return PoolAnswer(workflow::AgentsLost{std::move(answer.message), std::move(answer.report)});
}

const pool_protocol::AgentReport* report_of(const Answer& answer) {
    return std::visit(
        []<class Kind>(const Kind& kind) -> const pool_protocol::AgentReport* {
            if constexpr (requires { kind.report; })
                return kind.report ? &*kind.report : nullptr;
            else
                return nullptr;
        },
        answer);
}

base::Error not_submitted() {
    return {boost::system::errc::make_error_code(boost::system::errc::operation_canceled),
            "the run gives no tasks to agents any more"};
}

// The failure of an agent that has the label of agents of the kind shell, and is none.
EventOrError no_command_end(const pool_protocol::Processed& answer) {
    workflow::AgentFailure failure;
    std::string agent = label_or_nothing(answer.agent);
    failure.message =
        base::concat(agent, agent.empty() ? "" : ": ", "the response does not say how the command has ended");
    return PoolAnswer(std::move(failure));
}

EventOrError event_of_answer(Answer answer) {
    return std::visit([](auto& alternative) { return event_of(std::move(alternative)); }, answer);
}

std::shared_ptr<const std::string> agent_of(const Answer& answer) {
    const pool_protocol::AgentName* agent = nullptr;
    if (const auto* processed = std::get_if<pool_protocol::Processed>(&answer)) agent = &processed->agent;
    if (const auto* failed = std::get_if<pool_protocol::AgentFailed>(&answer)) agent = &failed->agent;
    if (const auto* timed_out = std::get_if<pool_protocol::TimedOut>(&answer)) agent = &timed_out->agent;
    if (agent == nullptr || agent->text().empty()) return nullptr;
    return std::make_shared<const std::string>(agent->text());
}

workflow::AttemptEnd end_of(workflow::EndAttempt action, const Measurement& measurement,
                            std::shared_ptr<const std::string> agent) {
    workflow::AttemptEnd end(std::move(action.result), std::move(action.report));
    end.is_lenient = action.is_lenient;
    end.measured = measurement.result();
    end.agent = std::move(agent);
    return end;
}

EventOrError not_started(const base::Error& error) {
    workflow::ScriptFailure failure;
    failure.description = base::concat("was not started: ", error.message);
    return workflow::AttemptEvent(workflow::ScriptEnd(std::move(failure)));
}

}  // namespace

asio::awaitable<base::Result<workflow::AttemptEnd>> AttemptExecutor::run(Attempt attempt, Job job) {
    attempt.previous = redacted(output_.redaction.get(), attempt.previous);
    workflow::AttemptMachine machine(config_, attempt.step, attempt.value, attempt.is_finally,
                                     attempt.previous);
    Underway underway{std::move(attempt), std::move(job), std::nullopt, {}, nullptr};
    workflow::AttemptAction action = machine.begin();
    while (true) {
        if (auto* end = std::get_if<workflow::EndAttempt>(&action)) {
            redact(output_.redaction.get(), end->result);  // it may quote a response
            co_return end_of(std::move(*end), underway.measurement, std::move(underway.agent));
        }
        Event event = co_await carry_out(underway, std::move(action));
        if (!event) co_return event.error();
        action = machine.apply(std::move(*event));
    }
}

asio::awaitable<AttemptExecutor::Event> AttemptExecutor::carry_out(Underway& underway,
                                                                   workflow::AttemptAction action) {
    auto* script = std::get_if<workflow::RunScript>(&action);
    if (script != nullptr && script->phase != workflow::Phase::pool)
        co_return co_await run_script(underway, std::move(*script));
    underway.job.release();
    if (script != nullptr) co_return co_await submit_command(underway, std::move(*script));
    if (auto* gathering = std::get_if<workflow::GatherResults>(&action))
        co_return co_await gather(underway.attempt, *gathering->gather);
    auto begun = std::chrono::steady_clock::now();
    Event event = co_await submit(underway, std::move(std::get<workflow::SubmitToPool>(action).payload));
    underway.measurement.add_pool(std::chrono::steady_clock::now() - begun);
    co_return event;
}

asio::awaitable<AttemptExecutor::Event> AttemptExecutor::run_script(Underway& underway,
                                                                    workflow::RunScript script) {
    auto& [attempt, job, previous, measurement, agent] = underway;
    enter(attempt, script.phase);
    if (!job) job = co_await jobs_.acquire(config_.step(attempt.step).options.priority);
    if (attempt.previous && !previous) {
        auto file = attempt_files_.create(attempt.task, workflow::to_json(*attempt.previous));
        if (!file) co_return not_started(file.error());
        previous.emplace(std::move(*file));
    }
    process::Environment variables;
    if (previous) variables.emplace_back(previous_attempts_variable, previous->path());
    std::optional<ResultRows> results;
    if (script.phase == workflow::Phase::finally && results_) {
        base::Result<ResultRows> written = co_await results_->write(attempt.finally_of, attempt.task);
        if (!written)
            co_return not_started(base::with_context("its results could not be written", written.error()));
        results.emplace(std::move(*written));
        variables.emplace_back(results_variable, results->path());
    }
    auto begun = std::chrono::steady_clock::now();
    workflow::Phase phase = script.phase;
    LocalEnd local =
        co_await run_local(config_, run_id_, attempt, std::move(script), output_, std::move(variables));
    measurement.add_script(phase, std::chrono::steady_clock::now() - begun, local.use);
    if (results) results_->keep(attempt.finally_of, std::move(*results));
    co_return workflow::AttemptEvent(std::move(local.end));
}

asio::awaitable<AttemptExecutor::Event> AttemptExecutor::gather(const Attempt& attempt,
                                                                const config::Gather& gather) {
    enter(attempt, workflow::Phase::finally);
    base::Result<workflow::Gathered> gathered = co_await results_->gather(attempt.finally_of, gather);
    if (!gathered)
        co_return workflow::AttemptEvent(
            workflow::GatherEnd(workflow::GatherError{std::move(gathered.error().message)}));
    co_return workflow::AttemptEvent(workflow::GatherEnd(std::move(*gathered)));
}

asio::awaitable<AttemptExecutor::Event> AttemptExecutor::submit(Underway& underway,
                                                                base::SplicedText payload) {
    pool_protocol::SubmissionId id = submission_id(underway.attempt, payload, "");
    base::Result<Answer> answer = co_await ask_pool(underway, std::move(id), std::move(payload));
    if (!answer) co_return answer.error();
    co_return event_of_answer(std::move(*answer));
}

// A resumed run sends other variables, and asks for the same answer.
asio::awaitable<AttemptExecutor::Event> AttemptExecutor::submit_command(Underway& underway,
                                                                        workflow::RunScript script) {
    auto begun = std::chrono::steady_clock::now();
    std::string_view name = script.name;
    pool_protocol::SubmissionId id = submission_id(underway.attempt, script.input, script.script);
    base::SplicedText content = pool_command(config_, run_id_, underway.attempt, std::move(script));
    base::Result<Answer> answer = co_await ask_pool(underway, std::move(id), std::move(content));
    if (!answer) co_return answer.error();
    const auto* processed = std::get_if<pool_protocol::Processed>(&*answer);
    if (processed == nullptr) co_return event_of_answer(std::move(*answer));
    auto end = pool_protocol::parse_command_end(processed->response);
    if (!end) co_return no_command_end(*processed);
    redact(output_.redaction.get(), *end);
    keep_output(underway.attempt, *end);
    LocalEnd local = end_of_script(config_, underway.attempt, name, child_result(std::move(*end)));
    underway.measurement.add_script(workflow::Phase::pool, std::chrono::steady_clock::now() - begun,
                                    local.use);
    co_return workflow::AttemptEvent(std::move(local.end));
}

asio::awaitable<base::Result<Answer>> AttemptExecutor::ask_pool(Underway& underway,
                                                                pool_protocol::SubmissionId id,
                                                                base::SplicedText payload) {
    const Attempt& attempt = underway.attempt;
    if (!callbacks_.may_submit(attempt.step)) co_return not_submitted();
    enter(attempt, workflow::Phase::pool);
    Job permit = co_await submission_limit_.acquire(attempt.step);
    if (!callbacks_.may_submit(attempt.step)) co_return not_submitted();
    pool_client::SubmitTraits traits(*config::labels_of(config_.step(attempt.step)),
                                     response_schemas_[attempt.step.value]);
    if (observer_ || callbacks_.on_activity)
        traits.on_activity = [this, &attempt](const pool_protocol::TaskActivity& told) {
            pool_protocol::TaskActivity shown = told;
            redact(output_.redaction.get(), shown.activity);
            if (observer_) observer_->activity(attempt, shown.agent, shown.activity);
            if (callbacks_.on_activity) callbacks_.on_activity(attempt, shown);
        };
    traits.priority = config_.step(attempt.step).options.priority;
    ++at_pool_[attempt.step.value];
    base::Result<Answer> answer =
        co_await submitter_->submit(std::move(id), std::move(payload), std::move(traits));
    --at_pool_[attempt.step.value];
    if (!answer) co_return answer.error();
    redact(output_.redaction.get(), *answer);
    underway.agent = agent_of(*answer);
    keep_failure(attempt, *answer);
    if (const auto* report = report_of(*answer)) callbacks_.on_report(attempt, *report);
    co_return answer;
}

// What an agent writes is in its transcript. The run knows only the end of what a failed one has written.
void AttemptExecutor::keep_failure(const Attempt& attempt, const Answer& answer) const {
    const auto* failed = std::get_if<pool_protocol::AgentFailed>(&answer);
    if (failed == nullptr || output_.kept == nullptr) return;
    KeptOutput::Writer writer(*output_.kept, source_of(config_, attempt, workflow::Phase::pool));
    writer.add(output::Stream::err, failed->message);
}

void AttemptExecutor::keep_output(const Attempt& attempt, const pool_protocol::CommandEnd& end) const {
    if (output_.kept == nullptr) return;
    KeptOutput::Writer writer(*output_.kept, source_of(config_, attempt, workflow::Phase::pool));
    writer.add(output::Stream::out, end.output);
    writer.add(output::Stream::err, end.error_output);
}

void AttemptExecutor::withdraw_queued() {
    if (submitter_) submitter_->withdraw_queued();
}

std::vector<std::string> AttemptExecutor::response_schemas(const config::WorkflowConfig& config) {
    std::vector<std::string> schemas;
    for (const config::Step& step : config.steps)
        schemas.push_back(step.is_pool() && config::command_of(step) == nullptr
                              ? config::response_schema(config, step)
                              : "");
    return schemas;
}

// The payload is a part of it because a log that is resumed twice may give the same number to different
// tasks.
pool_protocol::SubmissionId AttemptExecutor::submission_id(const Attempt& attempt,
                                                           const base::SplicedText& payload,
                                                           std::string_view script) const {
    std::string name = base::concat(first_run_id_.text(), " ", attempt.task.value);
    for (std::string_view piece : payload.pieces())
        name += base::concat(" ", base::checksum(piece));
    if (!script.empty()) name += base::concat(" ", base::checksum(script));
    return pool_client::id_of(name);
}

}  // namespace runner
