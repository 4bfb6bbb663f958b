// Passes on what agents do to the submitters that have asked for it. A submitter that has not read what it
// was sent gets the newest of each submission when it has: neither this process nor the kernel keeps more for
// it, so that a suspended submitter does not lose its connection over it. But each is sent that says what an
// agent has used in all: nothing newer says that.
#pragma once

#include "pool_daemon/peers.hpp"
#include "pool_daemon/timer_queue.hpp"
#include "pool_protocol/agent_activity.hpp"

#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace pool_daemon {

// The arguments of the constructor must outlive it.
class ActivityRelay {
  public:
    using Peer = pool::delivery::Peer;

    ActivityRelay(const Peers& peers, TimerQueue& timers) : peers_(peers), timers_(timers) {}

    void add(Peer peer) { wanting_.insert(peer); }
    void remove(Peer peer);
    bool is_wanted() const { return !wanting_.empty(); }

    // `peers` wait for the submission, whether they want this or not.
    void tell(const std::vector<Peer>& peers, const pool_protocol::TaskActivity& task);
    // Nobody is told of the submission any more.
    void answered(const std::string& submission);

  private:
    void drop_held(Peer peer, const std::string& submission);
    void send_held();
    void arm();

    const Peers& peers_;
    TimerQueue& timers_;
    std::unordered_set<Peer> wanting_;
    // Frames that wait until the peer has read the last one, by submission.
    std::unordered_map<Peer, std::map<std::string, std::string>> held_;
    bool is_armed_ = false;
};

}  // namespace pool_daemon
