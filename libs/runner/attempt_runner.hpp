// The interface of what does an attempt at a task: the Lifecycle, or a substitute that makes the result up,
// in a run that does no work (a stub, a benchmark of the engine).
#pragma once

#include "base/error.hpp"
#include "runner/attempt.hpp"
#include "runner/jobs.hpp"
#include "workflow/machine.hpp"

#include <boost/asio/awaitable.hpp>

namespace runner {

class AttemptRunner {
  public:
    virtual ~AttemptRunner() = default;

    // `job` is empty if the task does not begin with a local process. It is kept while a local process may be
    // run. An error ends the whole run; a failed attempt is a result. A terminal cancellation throws
    // operation_aborted.
    virtual boost::asio::awaitable<base::Result<workflow::AttemptResult>> run(Attempt attempt, Job job) = 0;
};

}  // namespace runner
