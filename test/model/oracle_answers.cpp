// Which answers a submission may have: the other part of oracle.cpp.
#include "oracle.hpp"
#include "story.hpp"
#include "world_clock.hpp"

#include <algorithm>

namespace model {

using pool_protocol::Answer;

namespace {

bool contains(const std::vector<std::string>& texts, const std::string& text) {
    return std::find(texts.begin(), texts.end(), text) != texts.end();
}

bool is_known(const Submission& submission, const std::string& response) {
    return contains(submission.responses, response) || contains(submission.discarded, response);
}

template<class Alternative>
bool is(const Answer& answer) {
    return std::holds_alternative<Alternative>(answer);
}

}  // namespace

void Oracle::check_answer(const std::string& key, const Submission& submission, const Answer& answer) const {
    std::string text = to_json(answer);
    if (auto* processed = std::get_if<pool_protocol::Processed>(&answer))
        must(is_known(submission, processed->response), key,
             " has an answer that no agent gave that had it: ", text);
    if (is<pool_protocol::TimedOut>(answer))
        must(may_time_out(submission), key, " timed out before its time");
    if (is<pool_protocol::Stopped>(answer))
        must(closing_ || (handing_over_ && submission.way == Way::without_id), key,
             " is answered `stopped` by a daemon that runs, or is handed over");
    if (is<pool_protocol::AgentFailed>(answer))
        must(submission.wants_failures && submission.failures > 0, key, " has not failed: ", text);
    if (is<pool_protocol::AgentsLost>(answer))
        must(submission.wants_failures && submission.deaths >= most_deaths, key, " is not lost: ", text);
    must(is<pool_protocol::Invalid>(answer) == !submission.is_valid, key, " is answered ", text);
}

// Who has come back to another daemon may find an answer that was kept for who doesn't know of failures.
bool Oracle::may_time_out(const Submission& submission) const {
    bool may_be_failure = !submission.wants_failures || submission.submitted_in < life_;
    if (may_be_failure && submission.deaths >= most_deaths) return true;
    if (!submission.timeout) return false;
    if (may_be_failure && submission.failures >= most_failures) return true;
    if (submission.ended_by_itself) return true;
    // Across lives a deadline is kept by the wall clock, in milliseconds.
    if (submission.given_in == life_ && submission.submitted_in == life_)
        return world_clock::active_now() - submission.sent_active >= *submission.timeout;
    return Clock::now() - submission.sent >= *submission.timeout;
}

}  // namespace model
