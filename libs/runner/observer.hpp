// The interface by which a display of progress is notified of what happens in a run. It can't influence the
// run.
#pragma once

#include "pool_protocol/agent_activity.hpp"
#include "pool_protocol/ids.hpp"
#include "runner/attempt.hpp"
#include "runner/ledger.hpp"
#include "workflow/attempt.hpp"
#include "workflow/state.hpp"

#include <optional>

namespace runner {

// Called on the executor's thread, from within the runner: must return quickly, and must not call the runner.
// References are valid during the call.
class Observer {
  public:
    virtual ~Observer() = default;

    // Called before anything is started: the state from which the run continues. Its finallys that are due
    // are submitted next, and not reported.
    virtual void begun(const workflow::State& state) = 0;
    virtual void started(const Attempt& attempt) = 0;
    virtual void entered(const Attempt& attempt, workflow::Phase phase) = 0;
    // What the agent does that has the attempt's task, and what it has used for it so far, if it tells that.
    // Without an activity, the agent has given the task back, which waits for another one.
    virtual void activity(const Attempt& attempt, const pool_protocol::AgentName& agent,
                          const std::optional<pool_protocol::AgentActivity>& activity) = 0;
    // An attempt that was started was not made: its task waits again, under the same id.
    virtual void put_back(const Attempt& attempt) = 0;
    // An attempt has ended, and its group is durable.
    virtual void decided(const Decision& decision) = 0;
};

}  // namespace runner
