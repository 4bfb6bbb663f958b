// The agents of a host and what the host's pool does with them. They are processes of their own: they go on
// while the edge is dead or suspended.
#pragma once

#include "agenda.hpp"
#include "edge/agent_side.hpp"
#include "oracle.hpp"
#include "random.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace hosts {

using edge::Setbacks;

// A task that the pool has got.
struct Job {
    TaskId task;
    edge::Author claim;
    edge::Queue queue;
    std::optional<Duration> timeout;
    Setbacks setbacks;
};

class Agents {
  public:
    // What agents do, for the host's edge and its pool.
    struct Reports {
        std::function<void(const TaskId&, Outcome)> answered;
        std::function<void(const Job&)> handed_back;
        std::function<void(const TaskId&)> ended;
        std::function<void()> idle_changed;
    };

    Agents(Agenda& agenda, workflow_test::Random& random, Oracle& oracle)
        : agenda_(agenda), random_(random), oracle_(oracle) {}
    Reports reports;  // to be set before use

    void add(const base::Labels& labels) { agents_.push_back({labels}); }
    std::vector<edge::agent_side::IdleAgents> idle() const;
    std::size_t count_idle(const base::Labels& labels) const;
    std::size_t size() const { return agents_.size(); }
    bool has(const TaskId& task) const;

    // Returns whether there is an idle agent for it.
    bool assign(Job job);
    // The agent at work on it, if there is one, ends soon, which is reported.
    void recall(const TaskId& task);
    // All end, as if their tasks were refused as stopped.
    void stop();
    // The machine dies; `forgets`: with all that is known of the agents.
    void die(bool forgets);
    // The machine, or its edge, is back.
    void come_back();

  private:
    enum class State { idle, busy, ending, absent };
    struct Agent {
        base::Labels labels;
        State state = State::idle;
        Job job{};
        std::size_t execution = 0;
        std::uint64_t turn = 0;  // of its state; what was planned for another one is void
    };

    void after(Agent& agent, Duration delay, std::function<void(Agent&)> what);
    void enter(Agent& agent, State state);
    void work(Agent& agent);
    void finish(Agent& agent, std::uint32_t how);
    void answer(Agent& agent, Outcome outcome);
    void leave(Agent& agent, Duration pause);

    Agenda& agenda_;
    workflow_test::Random& random_;
    Oracle& oracle_;
    std::vector<Agent> agents_;
    std::vector<std::pair<TaskId, std::size_t>> fallen_;  // executions at a death that will be known
    bool stops_ = false;
};

}  // namespace hosts
