// The agent's side of a pool: wait for a task, and the loop that runs a shell command for each one.
#pragma once

#include "base/error.hpp"
#include "io/directory.hpp"
#include "io/directory_watch.hpp"
#include "pool_protocol/pool_directory.hpp"

#include <boost/asio/awaitable.hpp>

#include <cstddef>
#include <optional>
#include <string>

namespace pool_client {

// What an agent was given (R11).
struct Assignment {
    enum class Kind { task, heartbeat, kicked };
    Kind kind = Kind::task;
    std::string uuid;
    std::string response_file;  // absolute; empty for kicked
    std::string content;        // JSON text; empty for kicked, and where it is left in its file
    io::OpenFile content_file;  // that file
    std::string reason;         // kicked only
};

// Whether a task's content of more than 64 KiB is read, or left in its file: for who only passes it on.
enum class LargeContent { is_read, is_left };

// The content, wherever it is.
base::Result<std::string> content_of(const Assignment& assignment);

// The JSON that `troupe get_task` prints, on one line.
std::string to_json(const Assignment& assignment, const std::string& agent_name);

// Announces a fresh agent and waits, without limit, for what it is given. Waits up to 10 s for the pool (R4).
// A terminal cancellation takes the announcement back and throws operation_aborted.
boost::asio::awaitable<base::Result<Assignment>> get_task(io::DirectoryWatch& watch,
                                                          pool_protocol::PoolDirectory directory,
                                                          std::string name,
                                                          LargeContent large = LargeContent::is_read);

// Answers a task or a heartbeat: the response file appears whole.
base::Result<void> respond(const pool_protocol::PoolDirectory& directory, const Assignment& assignment,
                           std::string_view response);

// Gives a task back, with the reason for the daemon's log (R13). An agent that was kicked meanwhile has
// nothing to give back: errc::no_such_file_or_directory.
base::Result<void> hand_back(const pool_protocol::PoolDirectory& directory, const Assignment& assignment,
                             std::string_view agent_name, std::string_view why);

// Says why the agent can't do a task that it keeps until its time is over: for who is told of the timeout.
// Errors are hand_back's.
base::Result<void> leave_to_time_out(const pool_protocol::PoolDirectory& directory,
                                     const Assignment& assignment, std::string_view agent_name,
                                     std::string_view why);

}  // namespace pool_client
