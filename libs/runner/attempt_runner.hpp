// Who does one attempt at a task: the Lifecycle, or for a run in which nothing is to be done (a stub, a
// benchmark of the engine) a stand-in that makes the result up.
#pragma once

#include "base/error.hpp"
#include "runner/jobs.hpp"
#include "runner/local_process.hpp"
#include "workflow/machine.hpp"

#include <boost/asio/awaitable.hpp>

namespace runner {

class AttemptRunner {
  public:
    virtual ~AttemptRunner() = default;

    // `job` is empty if the task does not begin with a local process; it is held as long as one may run. An
    // error is not the task's but the run's, and ends it. A terminal cancellation throws operation_aborted.
    virtual boost::asio::awaitable<base::Result<workflow::AttemptResult>> run(Attempt attempt, Job job) = 0;
};

}  // namespace runner
