// The interface by which a display of progress is notified of what happens in a run. It can't influence the
// run.
#pragma once

#include "runner/attempt.hpp"
#include "runner/ledger.hpp"
#include "workflow/attempt.hpp"
#include "workflow/state.hpp"

namespace runner {

// Called on the executor's thread, from within the runner: must return quickly, and must not call the runner.
// References are valid during the call.
class Observer {
  public:
    virtual ~Observer() = default;

    // Before anything is started: the state from which the run continues. Its finallys that are due are
    // submitted next, and not reported.
    virtual void begun(const workflow::State& state) = 0;
    virtual void started(const Attempt& attempt) = 0;
    virtual void entered(const Attempt& attempt, workflow::Phase phase) = 0;
    // An attempt has ended, and its group is durable.
    virtual void decided(const Decision& decision) = 0;
};

}  // namespace runner
