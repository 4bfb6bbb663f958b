#include "pool_daemon/answers.hpp"

#include <optional>
#include <utility>

namespace pool_daemon {

using pool_protocol::Answer;

namespace {

void leave_out_agent(Answer& answer) {
    answer.agent.clear();
    if (answer.kind == Answer::Kind::timeout) answer.text.clear();
}

// A submitter that does not support failures gets a timeout instead, after which it retries.
void leave_out_failure(Answer& answer) {
    if (answer.kind == Answer::Kind::failed || answer.kind == Answer::Kind::lost) answer = Answer::timeout();
}

}  // namespace

bool is_kept(const Answer& answer) {
    return answer.kind != Answer::Kind::stopped && answer.kind != Answer::Kind::invalid;
}

std::string json_for_submitters(Answer answer, const pool::SubmissionId& id,
                                const pool::delivery::Waiting& waiting, std::string last_error) {
    if (answer.kind == Answer::Kind::timeout && answer.text.empty()) answer.text = std::move(last_error);
    if (!waiting.options.agent) leave_out_agent(answer);
    if (!waiting.options.failures) leave_out_failure(answer);
    return to_json(answer, waiting.has_own_id ? std::optional(id.text()) : std::nullopt);
}

}  // namespace pool_daemon
