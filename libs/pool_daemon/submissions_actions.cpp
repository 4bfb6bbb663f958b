#include "io/log.hpp"
#include "pool_daemon/submissions.hpp"

#include <utility>

namespace pool_daemon {

namespace delivery = pool::delivery;
using Clock = std::chrono::steady_clock;

void Submissions::feed(const delivery::Event& event, std::string_view answer_json) {
    for (const delivery::Action& action : delivery::apply(state_, event, Clock::now()))
        std::visit(
            [&](const auto& a) {
                if constexpr (requires { perform(a, answer_json); })
                    perform(a, answer_json);
                else
                    perform(a);
            },
            action);
    arm_deadline();
}

// If the deadline has moved to a later time, the timer is kept, and expires too early once.
void Submissions::arm_deadline() {
    auto next = delivery::next_deadline(state_);
    if (!next || (!armed_for_.empty() && *armed_for_.begin() <= *next)) return;
    armed_for_.insert(*next);
    timers_.after(*next - Clock::now(), [this, at = *next] {
        armed_for_.erase(at);
        time_passed();
    });
}

void Submissions::time_passed() {
    while (true) {
        auto next = delivery::next_deadline(state_);
        if (!next || *next > Clock::now()) break;
        feed(delivery::TimePassed{});
    }
    arm_deadline();
}

void Submissions::perform(const delivery::Enqueue& action) {
    const Content& content = contents_.at(action.submission);
    callbacks_.on_new(action.submission, content.text, content.needs, action.wants_failures);
}

void Submissions::perform(const delivery::WantFailures& action) {
    callbacks_.on_failures_wanted(action.submission);
}

void Submissions::perform(const delivery::Withdraw& action) {
    contents_.erase(action.submission);
    io::log::debug("submission ", action.submission, " was withdrawn");
    callbacks_.on_withdrawn(action.submission);
}

void Submissions::perform(const delivery::CancelReply& action) {
    if (auto connection = peers_.connection(action.peer)) connection->cancel_reply();
}

void Submissions::perform(const delivery::Remember& action, std::string_view answer_json) {
    replies_.remember(action.submission, std::string(answer_json), Clock::now());
}

void Submissions::perform(const delivery::Send& action, std::string_view answer_json) {
    delivery::Sent sent{action.submission, action.reason, {}};
    for (delivery::Peer peer : action.peers) {
        auto connection = peers_.connection(peer);
        if (!connection) continue;
        connection->send(std::string(answer_json));
        if (connection->has_output()) sent.slow.push_back(peer);
    }
    feed(sent, answer_json);
}

void Submissions::perform(const delivery::WriteResponse& action, std::string_view answer_json) {
    const SubmissionId& id = action.submission;
    if (action.reason == delivery::WriteReason::requested && !files_.has_request(id))
        return io::log::debug("submission ", id, " was withdrawn when its answer arrived");
    if (action.reason == delivery::WriteReason::undelivered)
        io::log::info("the answer to submission ", id,
                      " could not be delivered; keeping it until it is asked for");
    if (!files_.write_or_keep(id, answer_json)) feed(delivery::WriteFailed{id, delivery::Unwritten::answer});
}

void Submissions::perform(const delivery::RetryWrite& action) {
    if (!files_.retry_write(action.submission))
        feed(delivery::WriteFailed{action.submission, delivery::Unwritten::answer});
}

void Submissions::perform(const delivery::RemoveResponse& action) {
    if (files_.has_request(action.submission)) return;
    files_.forget_unwritten(action.submission);
    feed(delivery::ResponseReleased{action.submission});
    files_.remove_response(action.submission);
}

void Submissions::perform(const delivery::CheckOutput& action) {
    bool is_taken = true;
    for (delivery::Peer peer : action.peers) {
        auto connection = peers_.connection(peer);
        if (connection && connection->has_output()) is_taken = false;
    }
    feed(delivery::OutputChecked{action.submission, is_taken});
}

void Submissions::perform(const delivery::CheckFetched& action) {
    answered_request_found(action.submission);
}

void Submissions::perform(const delivery::RemoveUnfetched& action) {
    files_.remove_unfetched(action.submission);
}

void Submissions::perform(const delivery::ReadRequest& action) {
    request_found(action.submission);
}

}  // namespace pool_daemon
