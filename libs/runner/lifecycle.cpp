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

base::Result<workflow::AttemptEvent> event_of(Answer answer) {
    using workflow::PoolAnswer;
    std::string agent = answer.agent.empty() ? "" : pool_protocol::agent_label(answer.agent);
    switch (answer.kind) {
        case Answer::Kind::processed:
            return PoolAnswer(workflow::PoolResponse{std::move(answer.text), std::move(agent)});
        case Answer::Kind::timeout:
            return PoolAnswer(workflow::PoolTimeout{std::move(agent), std::move(answer.text)});
        case Answer::Kind::invalid:
            return PoolAnswer(workflow::PoolRefusal{std::move(answer.text)});
        case Answer::Kind::failed:
            return PoolAnswer(
                workflow::AgentFailure{std::move(answer.text), answer.exit_code, answer.signal});
        case Answer::Kind::lost:
            return PoolAnswer(workflow::AgentsLost{std::move(answer.text)});
        case Answer::Kind::stopped:
            break;
    }
    return base::Error{boost::system::errc::make_error_code(boost::system::errc::host_unreachable),
                       "the pool was stopped"};
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
    std::string id = submission_id(attempt, payload);
    base::Result<Answer> answer = co_await submitter_->submit(std::move(id), std::move(payload));
    if (!answer) co_return answer.error();
    co_return event_of(std::move(*answer));
}

// The payload is a part of it because a log that is resumed twice may give the same number to different
// tasks.
std::string Lifecycle::submission_id(const Attempt& attempt, const base::SplicedText& payload) const {
    std::string name = base::concat(first_run_id_.text(), " ", attempt.task.value);
    for (std::string_view piece : payload.pieces())
        name += base::concat(" ", base::digest(piece));
    return pool_client::id_of(name);
}

}  // namespace runner
