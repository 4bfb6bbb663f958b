// A chapter: a pool of its own, and so many random operations of agents, submitters and the daemon's lives on
// it, in an order that follows from a seed; in the end everything is brought to its end, and nothing may be
// left. Throws sim::Broken when a rule does not hold.
#pragma once

#include "fleet.hpp"
#include "served_pool.hpp"
#include "strangers.hpp"
#include "submitters.hpp"

namespace model {

class Chapter {
  public:
    explicit Chapter(std::uint64_t seed);
    void run(std::uint64_t operations);
    const Story& story() const { return story_; }

  private:
    using Calls = std::optional<std::uint64_t>;

    void step();
    void operate();
    void turn_the_loop();
    bool turn(Calls calls);
    void change_of_life();
    void start();
    void try_to_start();
    void kill();
    void daemon_ended(bool in_order);
    void stop();
    void quiet();
    void settle();
    void pass_time();
    void pass(std::chrono::milliseconds time);
    void suspend();
    void fill_disk();
    void free_disk();
    void hand_over();
    Fleet::Daemon daemon_may() const;

    sim::Draw draw_;
    bool is_timed_;  // there are timeouts and heartbeats, which come when the clock says so
    Story story_;
    Oracle oracle_;
    ServedPool pool_;
    std::optional<Fleet> fleet_;
    std::optional<Submitters> submitters_;
    std::optional<Strangers> strangers_;
    bool draining_ = false;
    std::uint32_t downtime_ = 0;       // operations until the daemon is started again
    std::uint32_t disk_full_for_ = 0;  // operations
};

}  // namespace model
