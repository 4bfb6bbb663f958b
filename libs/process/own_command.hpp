// Runs a command of this program in a process of its own: for servers, whose loop must not wait for what the
// command does.
#pragma once

#include "process/child_result.hpp"

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace process {

// `arguments`: "why", "last", "3". Its directory and environment are those of this process. After `longest`
// it is killed. A terminal cancellation kills it as well (process/child_process).
boost::asio::awaitable<ChildResult> run_own_command(std::vector<std::string> arguments,
                                                    std::chrono::seconds longest);

// Why the command `name` of this program has failed: what it printed after "barnum: ", without the hint at
// --help, or else its last line; of one that printed nothing, how it ended.
std::string failure_message(std::string_view name, const ChildResult& result);

// The text without white space at its end.
std::string_view without_end(std::string_view text);

}  // namespace process
