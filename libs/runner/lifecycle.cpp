#include "runner/lifecycle.hpp"

#include "base/digest.hpp"
#include "base/text.hpp"
#include "pool_protocol/agent_label.hpp"
#include "runner/local_process.hpp"

#include <boost/asio/use_awaitable.hpp>

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
    return PoolAnswer(workflow::PoolResponse{std::move(answer.response), label_or_nothing(answer.agent)});
}

EventOrError event_of(pool_protocol::TimedOut&& answer) {
    return PoolAnswer(workflow::PoolTimeout{label_or_nothing(answer.agent), std::move(answer.last_error)});
}

EventOrError event_of(pool_protocol::Stopped&&) {
    return base::Error{boost::system::errc::make_error_code(boost::system::errc::host_unreachable),
                       "the pool was stopped"};
}

EventOrError event_of(pool_protocol::Invalid&& answer) {
    return PoolAnswer(workflow::PoolRefusal{std::move(answer.message)});
}

EventOrError event_of(pool_protocol::AgentFailed&& answer) {
    return PoolAnswer(workflow::AgentFailure{std::move(answer.message), answer.exit_code, answer.signal});
}

EventOrError event_of(pool_protocol::AgentsLost&& answer) {
    return PoolAnswer(workflow::AgentsLost{std::move(answer.message)});
}

EventOrError event_of_answer(Answer answer) {
    return std::visit([](auto& alternative) { return event_of(std::move(alternative)); }, answer);
}

}  // namespace

asio::awaitable<base::Result<workflow::AttemptResult>> Lifecycle::run(Attempt attempt, Job job) {
    workflow::AttemptMachine machine(config_, attempt.step, attempt.value, attempt.is_finally);
    workflow::AttemptAction action = machine.begin();
    while (true) {
        if (auto* end = std::get_if<workflow::EndAttempt>(&action)) co_return std::move(end->result);
        auto* script = std::get_if<workflow::RunScript>(&action);
        if (!script) job.release();
        auto done = script ? run_script(attempt, std::move(*script), job)
                           : submit(attempt, std::get<workflow::SubmitToPool>(std::move(action)).payload);
        Event event = co_await std::move(done);
        if (!event) co_return event.error();
        action = machine.apply(std::move(*event));
    }
}

asio::awaitable<Lifecycle::Event> Lifecycle::run_script(const Attempt& attempt, workflow::RunScript script,
                                                        Job& job) {
    enter(attempt, script.phase);
    if (!job) job = co_await jobs_.acquire();
    workflow::ScriptEnd end = co_await run_local(config_, run_id_, attempt, std::move(script));
    co_return workflow::AttemptEvent(std::move(end));
}

asio::awaitable<Lifecycle::Event> Lifecycle::submit(const Attempt& attempt, base::SplicedText payload) {
    enter(attempt, workflow::Phase::pool);
    pool_protocol::SubmissionId id = submission_id(attempt, payload);
    base::Result<Answer> answer = co_await submitter_->submit(std::move(id), std::move(payload));
    if (!answer) co_return answer.error();
    co_return event_of_answer(std::move(*answer));
}

// The payload is a part of it because a log that is resumed twice may give the same number to different
// tasks.
pool_protocol::SubmissionId Lifecycle::submission_id(const Attempt& attempt,
                                                     const base::SplicedText& payload) const {
    std::string name = base::concat(first_run_id_.text(), " ", attempt.task.value);
    for (std::string_view piece : payload.pieces())
        name += base::concat(" ", base::digest(piece));
    return pool_client::id_of(name);
}

}  // namespace runner
