// What submissions are answered with.
#include "base/text.hpp"
#include "io/log.hpp"
#include "pool_daemon/daemon_impl.hpp"

#include <utility>

namespace pool_daemon {

void Daemon::Impl::perform(const pool::Deliver& action) {
    io::log::debug("submission ", action.submission, " is done by ",
                   [&] { return agents_.display_name(action.agent); });
    answer(action.submission,
           pool_protocol::Processed{agents_.take_response(action.agent), agents_.name_or_id(action.agent),
                                    agents_.report(action.agent)});
}

void Daemon::Impl::perform(const pool::Refuse& action) {
    if (!edge_link_.answer_at_end(action)) answer(action.submission, refusal(action));
}

void Daemon::Impl::answer(const pool::SubmissionId& id, pool_protocol::Answer answer) {
    if (edge_link_.is_of_engine(id))
        edge_link_.answer(id, std::move(answer));
    else
        submissions_.answer(id, std::move(answer));
}

pool_protocol::Answer Daemon::Impl::refusal(const pool::Refuse& action) const {
    if (action.reason == pool::RefuseReason::stopped) return pool_protocol::Stopped{};
    std::string agent = action.agent ? agents_.name_or_id(*action.agent) : std::string();
    std::string last_error = action.agent ? agents_.last_error(*action.agent) : std::string();
    if (action.reason == pool::RefuseReason::rejected) return pool_protocol::Invalid{std::move(last_error)};
    if (action.reason == pool::RefuseReason::cancelled) {
        std::string message = "it was cancelled in the queue of the pool";
        if (!submissions_.options(action.submission).failures)
            return pool_protocol::Invalid{std::move(message)};
        pool_protocol::AgentFailed failed{{}, std::move(message)};
        failed.failure = "cancelled";  // no agent has had it
        failed.is_permanent = true;
        return failed;
    }
    if (action.reason == pool::RefuseReason::lost)
        return pool_protocol::AgentsLost{base::concat(pool::max_deaths, " agents died at work on this task")};
    if (action.reason == pool::RefuseReason::failed) {
        pool_protocol::Release release = agents_.release(*action.agent);
        if (release.reason == pool_protocol::Release::Reason::handed_back)
            last_error += base::concat("\nThis was the ", pool::max_hand_backs,
                                       "th time in a row, while its account did other tasks.");
        return pool_protocol::AgentFailed{
            std::move(agent),           std::move(last_error), release.exit_code,        release.signal,
            std::move(release.failure), release.is_permanent,  std::move(release.report)};
    }
    std::string message = base::concat("submission ", action.submission, " was not done within its timeout");
    if (is_hosted_)
        io::log::debug(message);
    else
        io::log::warn(message);
    return pool_protocol::TimedOut{std::move(agent), std::move(last_error)};
}

}  // namespace pool_daemon
