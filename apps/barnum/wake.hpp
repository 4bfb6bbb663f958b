// Runs the --wake script, which may start agents before the first task. Unlike a Command it may leave
// processes behind, for example agents. Its output goes to stderr.
#pragma once

#include "base/error.hpp"

#include <boost/asio/awaitable.hpp>

#include <string>

namespace barnum {

// Returns when the script's shell has ended; if not with code 0, the error says how. A terminal cancellation
// sends its process group SIGTERM, SIGKILL 2 s later if its shell still runs, and throws operation_aborted.
boost::asio::awaitable<base::Result<void>> run_wake(std::string script);

}  // namespace barnum
