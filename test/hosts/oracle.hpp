// What must be true of every history, whatever fails: no task is lost, answered twice, or done by two agents;
// a host's death is told. Knows what agents and submitters have seen, and nothing of edges and their
// machines.
#pragma once

#include "agenda.hpp"
#include "edge/engine.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace hosts {

using edge::Outcome;
using edge::TaskId;
using Submitter = std::size_t;  // the number of its host

// An agent's work on a task.
struct Execution {
    enum class State {
        running,
        completed,  // there was a response, an error or a timeout
        ended,      // without any: handed back, taken back or died, and its host knows it
        unknown,    // it died together with all that its host knew of it
    };
    edge::Author claim;
    edge::Queue queue;  // of the submission whose contents the agent has got
    State state = State::running;
    Time ended{};  // unless it is running
    bool was_processed = false;
    bool was_before = false;  // the task was submitted again after this response
};

class Oracle {
  public:
    explicit Oracle(const Agenda& agenda) : agenda_(agenda) {}
    std::function<void(const std::string&)> log;  // what is broken, if that is set

    // The first rule that was broken; empty: none.
    const std::string& violation() const { return violation_; }
    void violated(const TaskId& task, const std::string& what);
    // Without faults nothing may be lost, and the answer of each task is the agent's.
    void expect_no_loss() { is_calm_ = true; }
    // The submitter's host has lost all it knew of the task. If the engine has as well, nobody can know.
    void forgotten(const TaskId& task, Submitter submitter);
    // The engine has lost the task's record. `is_known`: hosts that know of the task can be reached.
    void record_lost(const TaskId& task, bool is_known);
    // A notice of a change of its record was lost.
    void notice_lost(const TaskId& task) { tasks_[task].is_notice_lost = true; }
    // The engine has delivered it again when nobody had to remember any more that it has ended.
    void came_back_late(const TaskId& task) { tasks_[task].may_be_repeated |= tasks_[task].is_record_lost; }
    // The engine has lost everything.
    void wiped();

    // Under that claim. Returns the number of the execution.
    std::size_t begun(const TaskId& task, const edge::Author& claim, const edge::Queue& queue);
    void ended(const TaskId& task, std::size_t number, Execution::State state, bool was_processed = false);

    // Several submitters may wait for one task, for the same queue.
    void submitted(const TaskId& task, Submitter submitter, const edge::Queue& queue);
    // This submitter's host knows that the engine has got the task from it.
    void published(const TaskId& task, Submitter submitter);
    void withdrawn(const TaskId& task, Submitter submitter);
    // The engine has the withdrawal of this submitter.
    void withdrawal_written(const TaskId& task, Submitter submitter);
    // The engine has an outcome, of whichever edge.
    void outcome_written(const TaskId& task) { tasks_[task].decided = agenda_.now(); }
    // What is done under this claim is done for nobody.
    void claim_withdrawn(const TaskId& task, const edge::Author& claim) {
        tasks_[task].withdrawn.insert(claim);
    }
    void answered(const TaskId& task, Submitter submitter, Outcome outcome, bool was_lost);
    // It was done so long ago, for one of several submitters, that the engine need not know of that any more.
    bool may_be_unknown(const TaskId& task) const;
    // Everything has come to an end.
    void check_end();

  private:
    struct Waiting {
        Time since;
        std::optional<Time> published{};  // for the first time
    };
    struct Known {
        std::vector<Execution> executions;
        edge::Queue queue;  // for which it was submitted last
        std::set<edge::Author> withdrawn;
        bool was_withdrawn = false;
        bool is_withdrawal_written = false;  // the last one
        std::optional<Time> decided;         // by an outcome, since nobody had waited
        bool is_being_withdrawn = false;     // by its submitter, until that is written
        bool is_forgotten = false;
        bool may_be_repeated = false;
        bool is_record_lost = false;
        bool is_notice_lost = false;
        bool was_answered = false;             // before it was submitted again
        std::map<Submitter, Time> submitters;  // of all times, since when
        std::size_t submissions = 0;
        std::map<Submitter, Waiting> waiting;  // for the answer, since when
        std::set<Submitter> doubtful;          // for whom it may have been done twice
        std::optional<Outcome> answer;         // the last one, and whose it was
        Submitter answered = 0;
        bool was_told = false;  // the answer says that
    };
    void doubt(Known& known, const Execution& earlier) const;
    void check_repetition(const TaskId& task, Known& known, const Execution& earlier);
    void check_withdrawal(const TaskId& task, Submitter submitter, const Known& known);
    bool may_be_forgotten(const Known& known, const Execution& execution) const;
    void check_response(const TaskId& task, const Known& known);
    void check_doubt(const TaskId& task, const Known& known);

    const Agenda& agenda_;
    std::map<TaskId, Known> tasks_;
    bool is_calm_ = false;
    std::optional<Time> wiped_;  // for the last time
    std::string violation_;
};

}  // namespace hosts
