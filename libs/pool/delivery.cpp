#include "pool/delivery.hpp"

#include "pool/delivery_impl.hpp"

#include <algorithm>

namespace pool::delivery {

void Transition::enqueue(const SubmissionId& id, Waiting& waiting, AnswerDetails options) {
    waiting.options = options;
    waiting.number = ++s_.last_number;
    actions_.emplace_back(Enqueue{id, options.failures});
}

// A submitter waits for the submission (again).
void Transition::join(const SubmissionId& id, Waiting& waiting, AnswerDetails options) {
    s_.due.remove(Due::withdrawal, id);
    waiting.options.agent |= options.agent;
    if (!options.failures || std::exchange(waiting.options.failures, true)) return;
    actions_.emplace_back(WantFailures{id});
}

void Transition::after_peers_left(const SubmissionId& id, const Waiting& waiting) {
    if (waiting.by_file || !waiting.peers.empty()) return;
    if (!waiting.has_own_id) return withdraw(id);
    s_.due.add(Due::withdrawal, id, now_ + s_.reconnect_time);
}

void Transition::withdraw(const SubmissionId& id) {
    auto found = s_.waiting.extract(id);
    if (found.empty()) return;
    s_.due.remove(Due::withdrawal, id);
    forget_peers(id, found.mapped().peers);
    for (Peer peer : found.mapped().peers)
        actions_.emplace_back(CancelReply{peer});
    actions_.emplace_back(Withdraw{id});
}

void Transition::forget_peers(const SubmissionId& id, const std::vector<Peer>& peers) {
    for (Peer peer : peers)
        if (auto owner = s_.by_peer.find(peer); owner != s_.by_peer.end()) owner->second.erase(id);
}

void Transition::operator()(const Asked& event) {
    auto [position, is_new] = s_.waiting.try_emplace(event.submission);
    Waiting& waiting = position->second;
    if (is_new) {
        enqueue(event.submission, waiting, event.options);
        waiting.has_own_id = event.has_own_id;
    } else {
        join(event.submission, waiting, event.options);
        waiting.has_own_id = true;  // only a request with an id can match an earlier one
    }
    // A peer that asks twice is answered once, because the answer may be very large.
    if (s_.by_peer[event.peer].insert(event.submission).second)
        waiting.peers.push_back(event.peer);
    else
        actions_.emplace_back(CancelReply{event.peer});
}

void Transition::operator()(const AskedByFile& event) {
    auto [position, is_new] = s_.waiting.try_emplace(event.submission);
    position->second.by_file = true;
    if (is_new)
        enqueue(event.submission, position->second, event.options);
    else
        join(event.submission, position->second, event.options);
}

void Transition::operator()(const RequestRemoved& event) {
    forget_unwritten(event.submission);
    s_.due.remove(Due::fetching, event.submission);
    auto found = s_.waiting.find(event.submission);
    if (found == s_.waiting.end() || !std::exchange(found->second.by_file, false)) return;
    after_peers_left(event.submission, found->second);
}

void Transition::operator()(const RequestUnreadable& event) {
    s_.due.add(Due::read, event.submission, now_ + retry_delay);
}

void Transition::operator()(const Recovered& event) {
    bool is_asked_for = event.has_request || event.has_own_id;
    if (event.is_answered || !is_asked_for) return;
    auto [position, is_new] = s_.waiting.try_emplace(event.submission);
    if (!is_new) return;
    position->second.by_file = event.has_request;
    position->second.has_own_id = event.has_own_id;
    position->second.options = event.options;
    after_peers_left(event.submission, position->second);
}

// A withdrawal is valid for one connection: other submitters of the same id still want the answer.
void Transition::operator()(const WithdrawnByPeer& event) {
    auto found = s_.waiting.find(event.submission);
    if (found == s_.waiting.end()) {
        // The answer may be on its way, and not arrive.
        if (event.has_output) s_.withdrawn_late[event.peer].insert(event.submission);
        return;
    }
    auto owner = s_.by_peer.find(event.peer);
    if (owner == s_.by_peer.end() || owner->second.erase(event.submission) == 0) return;
    std::erase(found->second.peers, event.peer);
    actions_.emplace_back(CancelReply{event.peer});
    if (!found->second.peers.empty()) return;
    found->second.has_own_id = false;  // its submitter will not come back
    after_peers_left(event.submission, found->second);
}

void Transition::operator()(const HostOffered& event) {
    if (std::find(s_.hosts.begin(), s_.hosts.end(), event.peer) == s_.hosts.end())
        s_.hosts.push_back(event.peer);
}

void Transition::operator()(const PeerGone& event) {
    s_.withdrawn_late.erase(event.peer);
    std::erase(s_.hosts, event.peer);
    auto owned = s_.by_peer.extract(event.peer);
    if (owned.empty()) return;
    for (const SubmissionId& id : owned.mapped()) {
        Waiting& waiting = s_.waiting.at(id);
        std::erase(waiting.peers, event.peer);
        after_peers_left(id, waiting);
    }
}

void Transition::operator()(const TimePassed&) {
    if (auto due = s_.due.take_due(now_)) handle_due(due->kind, due->submission);
}

void Transition::handle_due(Due due, const SubmissionId& id) {
    switch (due) {
        case Due::withdrawal:
            return withdraw(id);
        case Due::expiry:
            actions_.emplace_back(RemoveResponse{id});
            return;
        case Due::fetching:
            actions_.emplace_back(CheckFetched{id});
            return;
        case Due::output_check:
            actions_.emplace_back(CheckOutput{id, s_.slow.at(id)});
            return;
        case Due::write:
            return retry(id);
        case Due::read:
            actions_.emplace_back(ReadRequest{id});
    }
}

std::vector<Action> apply(State& state, const Event& event, Time now) {
    Transition transition(state, now);
    std::visit(transition, event);
    return transition.take_actions();
}

std::optional<Time> next_deadline(const State& state) {
    return state.due.next();
}

std::optional<Peer> next_host(const State& state) {
    if (state.hosts.empty()) return std::nullopt;
    Peer next = state.hosts.front();
    std::uint64_t first = state.last_number + 1;
    for (const auto& [id, waiting] : state.waiting) {
        if (waiting.number >= first) continue;
        auto host = std::find_first_of(waiting.peers.begin(), waiting.peers.end(), state.hosts.begin(),
                                       state.hosts.end());
        if (host == waiting.peers.end()) continue;
        first = waiting.number;
        next = *host;
    }
    return next;
}

std::vector<SubmissionId> anonymous(const State& state) {
    std::vector<SubmissionId> found;
    for (const auto& [id, waiting] : state.waiting)
        if (!waiting.has_own_id && !waiting.by_file) found.push_back(id);
    return found;
}

}  // namespace pool::delivery
