// What the agents of a run have used: it counts in the budget and the summary, and stands in the state log,
// also if the attempt never ends.
#pragma once

#include "config/workflow_config.hpp"
#include "io/task_group.hpp"
#include "pool_protocol/agent_activity.hpp"
#include "pool_protocol/agent_report.hpp"
#include "workflow/budget.hpp"
#include "workflow/machine.hpp"
#include "workflow/running_usage.hpp"
#include "workflow/usage.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <functional>
#include <map>
#include <optional>
#include <string>

namespace runner {

// All calls from the executor's thread.
class UsageMeter {
  public:
    struct Callbacks {
        // The attempt has used this so far, which is to be written to the state log.
        std::function<void(workflow::TaskId task, const workflow::AttemptUsage& used)> note;
        // The budget is spent, as the message says. Called each time that this is seen.
        std::function<void(std::string message)> on_spent;
    };
    // What an earlier run has used.
    struct Before {
        workflow::UsageTable ended;  // by attempts that have ended
        std::map<workflow::TaskId, workflow::UsageHistory> running;
    };

    // `tasks` and `state` must outlive it. `tasks` gets a coroutine that writes what is due.
    UsageMeter(boost::asio::any_io_executor executor, io::TaskGroup& tasks, const workflow::State& state,
               Before before, const std::optional<config::BudgetLimits>& budget, Callbacks callbacks);

    // An agent that has the task, or has just left it, tells what it has used.
    void told(workflow::TaskId task, const pool_protocol::TaskActivity& told);
    // The report of an agent whose attempt goes on, or ends in a moment.
    void reported(workflow::TaskId task, const pool_protocol::AgentReport& report);
    // The attempt was not made: no agent has had the task.
    void put_back(workflow::TaskId task) { running_.put_back(task); }
    // The attempt has ended. Its report becomes the one that stands in the log.
    void ended(workflow::TaskId task, config::StepId step, std::optional<pool_protocol::AgentReport>& report);
    // The end of an attempt with this report is durable.
    void count_ended(config::StepId step, const pool_protocol::AgentReport& report) {
        ended_.add(step, report);
    }
    // Notes what all attempts have used that have not ended.
    void note_all() { note(running_.take_all()); }

    void check_budget();

    workflow::UsageTable table() const;
    // Null if there is none.
    const workflow::Budget* budget() const { return budget_ ? &*budget_ : nullptr; }

  private:
    void warn_of_price(const pool_protocol::AgentReport& report);
    void note(const workflow::RunningUsage::Notes& notes);
    void note_later();
    boost::asio::awaitable<void> note_what_is_due();

    boost::asio::any_io_executor executor_;
    io::TaskGroup& tasks_;
    const workflow::State& state_;
    Callbacks callbacks_;
    workflow::UsageTable ended_;
    workflow::RunningUsage running_;
    std::optional<workflow::Budget> budget_;
    bool limits_usd_ = false;  // the budget has a limit in dollars
    bool has_warned_of_price_ = false;
    bool is_noting_later_ = false;  // note_what_is_due() goes on
};

}  // namespace runner
