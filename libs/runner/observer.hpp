// Who wants to be told what happens in a run while it happens: a display of progress. Changes nothing of it.
#pragma once

#include "runner/ledger.hpp"
#include "runner/local_process.hpp"
#include "workflow/state.hpp"

#include <cstdint>

namespace runner {

// What a started task is at. `pool`: submitted, with an agent or not yet.
enum class Phase : std::uint8_t { pre, command, pool, post, finally };

// Called on the executor's thread, in the middle of the runner's work: must be quick and call nothing of it.
// References are good for the call.
class Observer {
  public:
    virtual ~Observer() = default;

    // Before anything is started: the state that the run goes on from. Its finallys that are due are
    // submitted next, without another word.
    virtual void begun(const workflow::State& state) = 0;
    virtual void started(const Attempt& attempt) = 0;
    virtual void entered(const Attempt& attempt, Phase phase) = 0;
    // An attempt has ended, and that is durable, with all that its group announces.
    virtual void decided(const Decision& decision) = 0;
};

}  // namespace runner
