#include "pool_daemon/answers.hpp"

#include <optional>
#include <utility>

namespace pool_daemon {

using pool_protocol::Answer;

namespace {

// `report`: of the agent that has left last, if the answer comes from another host. Its numbers are in the
// sums.
void take_sums(std::optional<pool_protocol::AgentReport>& report, pool_protocol::AgentReport sums) {
    if (report) {
        sums.kind = report->kind;
        sums.model = report->model;
        sums.session = report->session;
        sums.refused = report->refused;
        sums.transcript = report->transcript;
    }
    report = std::move(sums);
}

// A submitter that does not support failures gets a timeout instead, after which it retries.
void leave_out_failure(Answer& answer) {
    bool is_failure = std::holds_alternative<pool_protocol::AgentFailed>(answer) ||
                      std::holds_alternative<pool_protocol::AgentsLost>(answer);
    if (is_failure) answer = pool_protocol::TimedOut{};
}

}  // namespace

bool is_kept(const Answer& answer) {
    return !std::holds_alternative<pool_protocol::Stopped>(answer) &&
           !std::holds_alternative<pool_protocol::Invalid>(answer);
}

void add_spent(Answer& answer, const pool_protocol::AgentReport& spent) {
    if (auto* processed = std::get_if<pool_protocol::Processed>(&answer)) {
        if (processed->report)
            add_earlier(*processed->report, spent);
        else
            processed->report = spent;
    }
    if (auto* failed = std::get_if<pool_protocol::AgentFailed>(&answer)) take_sums(failed->report, spent);
    if (auto* timed_out = std::get_if<pool_protocol::TimedOut>(&answer)) take_sums(timed_out->report, spent);
    if (auto* lost = std::get_if<pool_protocol::AgentsLost>(&answer)) take_sums(lost->report, spent);
}

std::string json_for_submitters(Answer answer, const pool::SubmissionId& id,
                                const pool::delivery::Waiting& waiting, Remarks remarks) {
    if (remarks.spent) add_spent(answer, *remarks.spent);
    auto* timed_out = std::get_if<pool_protocol::TimedOut>(&answer);
    if (timed_out && timed_out->last_error.empty()) timed_out->last_error = std::move(remarks.last_error);
    if (!waiting.options.agent) pool_protocol::leave_out_agent(answer);
    if (!waiting.options.failures) leave_out_failure(answer);
    return to_json(answer, waiting.has_own_id ? std::optional(id.text()) : std::nullopt);
}

}  // namespace pool_daemon
