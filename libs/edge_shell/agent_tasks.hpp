// The shell of edge/agent_side: carries out its actions at the engine, in the notes and at the pool, and
// keeps what the machine does not know: contents of tasks, and answers. Decides nothing.
#pragma once

#include "edge/agent_side.hpp"
#include "edge_shell/engine.hpp"
#include "edge_shell/journal.hpp"
#include "edge_shell/notes.hpp"
#include "edge_shell/outcomes.hpp"
#include "edge_shell/questions.hpp"
#include "edge_shell/work.hpp"

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace edge_shell {

// A task that the pool gets.
struct Assignment {
    edge::TaskId task;
    edge::Queue queue;
    std::optional<edge::Duration> timeout;  // from its assignment to an agent
    edge::Setbacks setbacks;
    bool wants_failures = false;
};

class AgentTasks {
  public:
    using Event = edge::agent_side::Event;
    using Action = edge::agent_side::Action;
    using TaskId = edge::TaskId;

    struct Callbacks {
        std::function<void(const Assignment&)> on_assign;
        // `wants_end`: ended() is to follow, as soon as no agent works on the task.
        std::function<void(const TaskId&, bool wants_end)> on_recall;
        std::function<void(Event)> on_event;  // the machine is to get it soon
    };

    // The engine and the journal must outlive it. `start`: as in edge::agent_side::Config.
    AgentTasks(Engine& engine, Journal& journal, edge::agent_side::Config config, Callbacks callbacks);

    // ---- for the loop that feeds the machine ----
    // Takes over the notes of an earlier process. Fails if they cannot be read.
    base::Result<void> recover(edge::Time now);
    std::vector<Action> apply(const Event& event, edge::Time now);
    // Whether the action only changes notes. It is carried out at once, and before any other action is, they
    // must be saved.
    static bool is_note(const Action& action);
    // What is to be saved before the action is carried out.
    void prepare(const Action& action);
    void carry_out(const Action& action);
    std::optional<edge::Time> next_deadline() const { return edge::agent_side::next_deadline(state_); }

    // ---- what the engine reports ----
    void delivered(Engine::Delivered delivered);
    void asked(Engine::Question question);
    void sought(Engine::Seeking seeking);

    // ---- what the pool reports ----
    // The answer is in the journal when this returns; the machine gets to know of it by the event.
    void answered(const TaskId& task, pool_protocol::Answer answer);
    // An agent has left the task; the frame says what it has used.
    void note_left(const TaskId& task, const std::string& frame);
    // The agent works on the task, which is recalled.
    void note_ending(const TaskId& task, const std::string& agent);

    // ---- what is known ----
    // Null if the machine does not have the task, or is about to forget it.
    const AgentNote* note(const TaskId& task) const;
    const std::unordered_map<TaskId, AgentNote>& notes() const { return notes_; }
    // Null if it is unknown, as after a restart.
    const Work* work(const TaskId& task) const;
    const edge::agent_side::State& state() const { return state_; }

  private:
    void on(const edge::agent_side::Pull& action) { engine_.pull(action); }
    void on(const edge::agent_side::EndPull& action) { engine_.end_pull(action.pull); }
    void on(const edge::agent_side::Extend& action) { engine_.extend(action); }
    void on(const edge::Write& action);
    void on(const edge::LookUp& action);
    void on(const edge::Ask& action);
    void on(const edge::Search& action);
    void on(const edge::agent_side::Reply& action) { questions_.reply(action.question, action.has); }
    void on(const edge::TraceReply& action) { seekings_.reply(action.question, action.trace); }
    void on(const edge::Settle& action);
    void on(const edge::agent_side::Note& action);
    void on(const edge::agent_side::Forget& action);
    void on(const edge::agent_side::Assign& action);
    void on(const edge::agent_side::Recall& action);
    void add_left_agents(const TaskId& task, const LeftAgents& more);
    void keep_work(const TaskId& task, Work work);
    void save(const AgentNote& note);

    Engine& engine_;
    Journal& journal_;
    Callbacks callbacks_;
    edge::agent_side::State state_;
    std::unordered_map<TaskId, AgentNote> notes_;
    std::unordered_map<TaskId, Work> works_;
    std::deque<Work> delivered_;  // of the events Delivered that the machine has not got yet, in their order
    Questions<bool> questions_;
    Questions<edge::Trace> seekings_;
};

}  // namespace edge_shell
