#include "pool/delivery_impl.hpp"

#include <algorithm>

namespace pool::delivery {

// Keeps the answer for its submitter, which may come back; a slow peer that reads the same answer does not
// end that.
void Transition::keep(const SubmissionId& id) {
    forget_slow(id);
    actions_.emplace_back(WriteResponse{id, WriteReason::undelivered});
    s_.due.add(Due::expiry, id, now_ + keep_time);
}

void Transition::forget_slow(const SubmissionId& id) {
    s_.slow.erase(id);
    s_.due.remove(Due::output_check, id);
}

void Transition::forget_unwritten(const SubmissionId& id) {
    s_.unwritten.erase(id);
    s_.due.remove(Due::write, id);
}

void Transition::operator()(const AskedAgain& event) {
    actions_.emplace_back(
        Remember{event.submission});  // the answer kept by an earlier daemon is about to be removed
    actions_.emplace_back(Send{event.submission, SendReason::repeated, {event.peer}});
}

void Transition::operator()(const AskedAgainByFile& event) {
    actions_.emplace_back(WriteResponse{event.submission, WriteReason::repeated});
    s_.due.add(Due::expiry, event.submission, now_ + keep_time);
}

void Transition::operator()(const Answered& event) {
    auto found = s_.waiting.extract(event.submission);
    if (found.empty()) return;
    Waiting& waiting = found.mapped();
    const bool has_peers = !waiting.peers.empty();
    const bool is_kept_if_slow = event.is_kept && waiting.has_own_id && !waiting.by_file;
    s_.due.remove(Due::withdrawal, event.submission);
    forget_peers(event.submission, waiting.peers);
    if (event.is_kept && (waiting.has_own_id || waiting.by_file))
        actions_.emplace_back(Remember{event.submission});
    if (has_peers)
        actions_.emplace_back(Send{event.submission,
                                   is_kept_if_slow ? SendReason::answered : SendReason::unkept,
                                   std::move(waiting.peers)});
    if (waiting.by_file)
        actions_.emplace_back(WriteResponse{event.submission, WriteReason::requested});
    else if (!has_peers && event.is_kept)
        keep(event.submission);
}

// A part of the answer that is only in this process would be lost with it, and the agent's response is about
// to be removed. So the answer is written to a file as well.
void Transition::operator()(const Sent& event) {
    if (event.slow.empty()) {
        if (event.reason == SendReason::repeated) actions_.emplace_back(RemoveResponse{event.submission});
        return;
    }
    if (event.reason == SendReason::unkept) return;
    actions_.emplace_back(WriteResponse{event.submission, WriteReason::slow_peer});
    s_.slow[event.submission] = event.slow;
    s_.due.add(Due::output_check, event.submission, now_ + retry_delay);
}

void Transition::operator()(const OutputChecked& event) {
    if (!s_.slow.contains(event.submission)) return;
    if (!event.is_taken) return s_.due.add(Due::output_check, event.submission, now_ + retry_delay);
    forget_slow(event.submission);
    actions_.emplace_back(RemoveResponse{event.submission});
}

void Transition::operator()(const Undelivered& event) {
    auto late = s_.withdrawn_late.find(event.peer);
    if (late != s_.withdrawn_late.end() && late->second.contains(event.submission)) return;
    keep(event.submission);
}

void Transition::operator()(const ResponseFound& event) {
    s_.due.add(Due::expiry, event.submission,
               now_ + std::clamp(keep_time - event.age, Duration::zero(), keep_time));
}

// The age is checked again when it is due: the request may have been written anew.
void Transition::operator()(const UnfetchedFound& event) {
    if (!event.is_held && event.age >= fetch_time) {
        s_.due.remove(Due::fetching, event.submission);
        actions_.emplace_back(RemoveUnfetched{event.submission});
        return;
    }
    const Duration age = event.is_held ? Duration::zero() : std::max(event.age, Duration::zero());
    s_.due.add(Due::fetching, event.submission, now_ + fetch_time - age);
}

void Transition::operator()(const ResponseReleased& event) {
    forget_unwritten(event.submission);
}

void Transition::operator()(const WriteFailed& event) {
    s_.unwritten[event.submission] = event.what;
    s_.due.add(Due::write, event.submission, now_ + retry_delay);
}

// A request that could not be refused is read again: its submitter may have corrected it.
void Transition::retry(const SubmissionId& id) {
    auto unwritten = s_.unwritten.extract(id);
    if (unwritten.mapped() == Unwritten::refusal)
        actions_.emplace_back(ReadRequest{id});
    else
        actions_.emplace_back(RetryWrite{id});
}

void Transition::operator()(const Ending&) {
    for (const auto& [id, peers] : s_.slow)
        actions_.emplace_back(CheckOutput{id, peers});
}

}  // namespace pool::delivery
