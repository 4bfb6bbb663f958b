// The part of a run that people have: their questions, and what follows from their answers (docs/people.md).
#pragma once

#include "base/error.hpp"
#include "config/workflow_config.hpp"
#include "runner/attempt.hpp"
#include "runner/ledger.hpp"
#include "runner/observer.hpp"
#include "runner/questions.hpp"
#include "statelog/record.hpp"
#include "workflow/machine.hpp"
#include "workflow/persons_answer.hpp"

#include <boost/asio/any_io_executor.hpp>

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace runner {

// All calls from the executor's thread.
class People {
  public:
    struct Callbacks {
        std::function<void()> wake;  // the ledger has something to commit
        // Called for each task instead of asking a person; empty: people are asked.
        std::function<void(workflow::TaskId)> stand_in;
    };
    // Called when the answer is durable, with a sentence for the user; or with an error if the answer is
    // refused or can't be kept: then it does not count.
    using Answered = std::function<void(base::Result<std::string>)>;

    // `asked_since`: when an earlier run has asked its questions. `observer` may be null. `config`, `state`,
    // `ledger` and `observer` must outlive it.
    People(const boost::asio::any_io_executor& executor, const config::WorkflowConfig& config,
           const workflow::State& state, Ledger& ledger, Observer* observer,
           std::map<workflow::TaskId, statelog::Time> asked_since, Callbacks callbacks);

    // Asks the questions that are durable. One that has expired meanwhile is entered into the ledger.
    void ask();
    void answer(workflow::PersonsAnswer answer, Answered done);

    // The decision about a task, which may be a question, is durable.
    void decided(const Decision& decision);

    // How many tasks wait for a person.
    std::size_t size() const { return questions_.size(); }
    // Whether a question was asked since the last call.
    bool take_news();

    // The run is about to end: no answer is taken any more, and no question expires.
    void close();
    // The run has ended: answers that are not durable are refused.
    void refuse_unconfirmed();

  private:
    Attempt attempt_of(workflow::TaskId task) const;
    void ask_about(workflow::TaskId task);
    void expire(workflow::TaskId task);
    void confirm(const Decision& decision);

    const config::WorkflowConfig& config_;
    const workflow::State& state_;
    Ledger& ledger_;
    Observer* observer_;
    Callbacks callbacks_;
    Questions questions_;
    std::map<workflow::TaskId, statelog::Time> asked_since_;  // of questions of an earlier run
    workflow::TaskId next_question_;                          // those before it are asked
    workflow::TaskId told_until_;                             // take_news() has told of those before it
    bool is_closed_ = false;
    struct Unconfirmed {
        std::string user;
        Answered done;
        std::vector<Answered> late;  // other answers to the same task
    };
    std::map<workflow::TaskId, Unconfirmed> unconfirmed_;  // answers that are not durable yet
    struct EarlyAnswer {
        workflow::PersonsAnswer answer;
        Answered done;
    };
    // Answers to tasks that are not asked yet. Whoever reads the log may know such a task before the run
    // knows that it is durable.
    std::vector<EarlyAnswer> early_answers_;
};

}  // namespace runner
