// Several observers of one run.
#pragma once

#include "runner/observer.hpp"

#include <vector>

namespace runner {

// Calls each of its observers, in the order in which they were added.
class Observers : public Observer {
  public:
    // It must outlive the calls.
    void add(Observer& observer) { observers_.push_back(&observer); }

    void begun(const workflow::State& state) override {
        for (Observer* one : observers_)
            one->begun(state);
    }
    void started(const Attempt& attempt) override {
        for (Observer* one : observers_)
            one->started(attempt);
    }
    void entered(const Attempt& attempt, workflow::Phase phase) override {
        for (Observer* one : observers_)
            one->entered(attempt, phase);
    }
    void activity(const Attempt& attempt, const pool_protocol::AgentName& agent,
                  const std::optional<pool_protocol::AgentActivity>& activity) override {
        for (Observer* one : observers_)
            one->activity(attempt, agent, activity);
    }
    void put_back(const Attempt& attempt) override {
        for (Observer* one : observers_)
            one->put_back(attempt);
    }
    void decided(const Decision& decision) override {
        for (Observer* one : observers_)
            one->decided(decision);
    }

  private:
    std::vector<Observer*> observers_;
};

}  // namespace runner
