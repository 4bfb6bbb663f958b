// What the pool's machine and its messages have in common: the rooms `pool` and `pool_protocol` do not
// include each other.
#pragma once

#include "base/id.hpp"

namespace base {

// The id of a submission. Its submitter chooses it; the daemon chooses one if there is none.
using SubmissionId = TextId<struct SubmissionTag>;

// Why an agent is told to end its work, or is dismissed.
enum class KickReason {
    timeout,    // the task's time, or that for the response to a heartbeat, is over
    stopped,    // the pool stops
    withdrawn,  // nobody waits for the answer any more
};

}  // namespace base
