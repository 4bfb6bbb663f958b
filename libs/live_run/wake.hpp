// Runs the --wake script, which may start agents before the first task. Unlike a Command it may leave
// processes behind, for example agents. Its output goes to stderr.
#pragma once

#include <boost/asio/awaitable.hpp>

#include <optional>
#include <string>

namespace live_run {

// Returns when the script's shell has ended, at once if there is no script. False: not with code 0, which was
// logged. A terminal cancellation sends its process group SIGTERM, SIGKILL 2 s later if its shell still runs,
// and throws operation_aborted.
boost::asio::awaitable<bool> run_wake(std::optional<std::string> script);

}  // namespace live_run
