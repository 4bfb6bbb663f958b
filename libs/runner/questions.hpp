// The questions of a run: its tasks that wait for a person (docs/people.md). Tells when one has expired.
#pragma once

#include "config/workflow_config.hpp"
#include "statelog/record.hpp"
#include "workflow/entry.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

namespace runner {

// To be used from the executor's thread only.
class Questions {
  public:
    using Time = statelog::Time;

    // `on_expired` is called for each question that has expired, which is removed afterwards; not after this
    // object was destroyed. It must not change the questions.
    Questions(const boost::asio::any_io_executor& executor, const config::WorkflowConfig& config,
              std::function<void(workflow::TaskId)> on_expired);

    // The task of that Human step waits since then.
    void add(workflow::TaskId task, config::StepId step, Time since);
    // The task waits no more. Nothing happens if it is not known.
    void remove(workflow::TaskId task);

    // None of them expires any more, and nothing keeps the executor at work.
    void stop_clock();

    // Empty if the task does not wait.
    std::optional<Time> since(workflow::TaskId task) const;
    std::size_t size() const { return questions_.size(); }

  private:
    void set_timer();
    void expire();

    const config::WorkflowConfig& config_;
    boost::asio::steady_timer timer_;
    std::function<void(workflow::TaskId)> on_expired_;
    struct Question {
        Time since;
        std::optional<Time> end;  // when it expires
    };
    std::map<workflow::TaskId, Question> questions_;
    std::set<std::pair<Time, workflow::TaskId>> ends_;       // of those that expire
    std::shared_ptr<void> alive_ = std::make_shared<int>();  // for the timer's handler
};

}  // namespace runner
