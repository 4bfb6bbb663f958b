// A run that outlives its terminal: `barnum run --detach`.
#pragma once

#include "base/error.hpp"
#include "io/unique_fd.hpp"

#include <string>

namespace barnum {

class Detachment {
  public:
    // Continues in a new process with a session of its own, in which this returns. The process that called it
    // waits until the run has begun, prints its id on stdout, and exits; or exits with the code of the new
    // process if that ends before. To be called before there are other threads.
    static base::Result<Detachment> start();

    // The run has begun: it leaves the terminal. stdin becomes /dev/null, and stdout and stderr are appended
    // to the file. If the process that waits has gone, nobody knows of the run, and this fails.
    base::Result<void> complete(const std::string& run_id, const std::string& log_path);

  private:
    explicit Detachment(io::UniqueFd pipe) : pipe_(std::move(pipe)) {}

    io::UniqueFd pipe_;  // to the process that waits
};

}  // namespace barnum
