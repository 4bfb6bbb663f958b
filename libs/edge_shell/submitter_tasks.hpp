// The shell of edge/submitter_side: carries out its actions at the engine and in the notes, and gives the
// answers to the pool. Decides nothing, and keeps no contents of tasks: those that wait have them.
#pragma once

#include "edge/submitter_side.hpp"
#include "edge_shell/engine.hpp"
#include "edge_shell/journal.hpp"
#include "edge_shell/notes.hpp"
#include "edge_shell/questions.hpp"
#include "edge_shell/work.hpp"
#include "pool_protocol/answer.hpp"

#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace edge_shell {

class SubmitterTasks {
  public:
    using Event = edge::submitter_side::Event;
    using Action = edge::submitter_side::Action;
    using TaskId = edge::TaskId;

    struct Callbacks {
        // What the submitter has submitted; nothing if nobody waits for it any more.
        std::function<std::optional<Work>(const TaskId&)> work_of;
        std::function<void(const TaskId&, pool_protocol::Answer)> on_answer;
        // What an agent that has left the task has used: a frame. It may have been told already.
        std::function<void(std::string frame)> on_left;
        // The machine is to get it soon. `text`: of the outcome that the event may bring.
        std::function<void(Event, std::string text)> on_event;
    };

    // The engine and the journal must outlive it. `start`: as in edge::submitter_side::Config.
    SubmitterTasks(Engine& engine, Journal& journal, edge::submitter_side::Config config,
                   Callbacks callbacks);

    // ---- for the loop that feeds the machine; as in AgentTasks ----
    base::Result<void> recover(edge::Time now);
    std::vector<Action> apply(const Event& event, std::string text, edge::Time now);
    static bool is_note(const Action& action);
    void carry_out(const Action& action);
    // An edge searches for a task.
    void sought(Engine::Seeking seeking);
    std::optional<edge::Time> next_deadline() const { return edge::submitter_side::next_deadline(state_); }

    // The tasks of an earlier process whose submitters have not come back.
    std::vector<TaskId> absent() const;
    // Whether an answer is still to come.
    bool is_open(const TaskId& task) const;
    const edge::submitter_side::State& state() const { return state_; }

  private:
    void on(const edge::submitter_side::Note& action);
    void on(const edge::submitter_side::NoteClosed& action);
    void on(const edge::submitter_side::Forget& action);
    void on(const edge::submitter_side::Publish& action);
    void on(const edge::Write& action);
    void on(const edge::LookUp& action);
    void on(const edge::Ask& action);
    void on(const edge::Search& action);
    void on(const edge::TraceReply& action) { seekings_.reply(action.question, action.trace); }
    void on(const edge::submitter_side::Answer& action);
    void on(const edge::submitter_side::Join& action) { engine_.join(action); }
    void on(const edge::submitter_side::Notify& action) { engine_.notify(action); }
    void on(const edge::submitter_side::Remove& action);
    void on(const edge::submitter_side::Purge& action);
    void tell_left(const Event& event);
    void save(const SubmitterNote& note);

    Engine& engine_;
    Journal& journal_;
    Callbacks callbacks_;
    edge::submitter_side::State state_;
    std::string text_;                                 // of the outcome that the last event has brought
    std::unordered_map<TaskId, SubmitterNote> notes_;  // of tasks that are not closed
    std::unordered_map<TaskId, LeftAgents> told_;      // that have left tasks
    Questions<edge::Trace> seekings_;
};

}  // namespace edge_shell
