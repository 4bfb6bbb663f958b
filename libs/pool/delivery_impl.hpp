// The implementation of delivery::apply(): delivery.cpp handles requests and peers, delivery_answers.cpp
// answers. Private to this library.
#pragma once

#include "pool/delivery.hpp"

#include <utility>

namespace pool::delivery {

// One call of apply(): the state, the time, and the actions so far.
class Transition {
  public:
    Transition(State& state, Time now) : s_(state), now_(now) {}

    void operator()(const Asked& event);
    void operator()(const AskedByFile& event);
    void operator()(const RequestRemoved& event);
    void operator()(const RequestUnreadable& event);
    void operator()(const Recovered& event);
    void operator()(const AskedAgain& event);
    void operator()(const AskedAgainByFile& event);
    void operator()(const WithdrawnByPeer& event);
    void operator()(const GivenUp& event) { withdraw(event.submission); }
    void operator()(const HostOffered& event);
    void operator()(const Answered& event);
    void operator()(const Sent& event);
    void operator()(const OutputChecked& event);
    void operator()(const Undelivered& event);
    void operator()(const PeerGone& event);
    void operator()(const ResponseFound& event);
    void operator()(const UnfetchedFound& event);
    void operator()(const ResponseReleased& event);
    void operator()(const WriteFailed& event);
    void operator()(const TimePassed&);
    void operator()(const Ending&);

    std::vector<Action> take_actions() { return std::move(actions_); }

  private:
    void enqueue(const SubmissionId& id, Waiting& waiting, AnswerDetails options);
    void join(const SubmissionId& id, Waiting& waiting, AnswerDetails options);
    void after_peers_left(const SubmissionId& id, const Waiting& waiting);
    void withdraw(const SubmissionId& id);
    void forget_peers(const SubmissionId& id, const std::vector<Peer>& peers);
    void keep(const SubmissionId& id);
    void forget_slow(const SubmissionId& id);
    void forget_unwritten(const SubmissionId& id);
    void handle_due(Due due, const SubmissionId& id);
    void retry(const SubmissionId& id);

    State& s_;
    Time now_;
    std::vector<Action> actions_;
};

}  // namespace pool::delivery
