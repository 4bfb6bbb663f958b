// The interface of what does an attempt at a task: the AttemptExecutor, or a substitute that makes the result
// up, in a run that does no work (a stub, a benchmark of the engine).
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
    // run. A failed attempt is a result. After an error there is none, and the attempt is to be made again:
    // it ends the whole run, unless that winds down anyway. A terminal cancellation throws operation_aborted.
    virtual boost::asio::awaitable<base::Result<workflow::AttemptEnd>> run(Attempt attempt, Job job) = 0;
};

}  // namespace runner
