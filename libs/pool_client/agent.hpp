// The agent's side of a pool's files: announce an agent, wait for what it is given, answer it or let go of
// it.
#pragma once

#include "base/error.hpp"
#include "io/directory.hpp"
#include "io/directory_watch.hpp"
#include "pool_protocol/pool_directory.hpp"
#include "pool_protocol/ready.hpp"

#include <boost/asio/awaitable.hpp>

#include <cstddef>
#include <optional>
#include <string>

namespace pool_client {

// What an agent was given.
struct Assignment {
    enum class Kind { task, heartbeat, kicked };
    Kind kind = Kind::task;
    std::string uuid;
    std::string response_file;  // absolute; empty for kicked
    std::string content;        // JSON text; empty for kicked, and where it is left in its file
    io::OpenFile content_file;  // that file
    std::string reason;         // kicked only
    io::UniqueFd lock;          // of the ready file, for an agent that keeps it: to be held while it works
};

// Whether a task's content of more than 64 KiB is read, or left in its file: for who only passes it on.
enum class LargeContent { is_read, is_left };

// The content, wherever it is.
base::Result<std::string> content_of(const Assignment& assignment);

// The JSON that `troupe get_task` prints, on one line.
std::string to_json(const Assignment& assignment, const std::string& agent_name);

// What an agent says of itself.
struct AgentTraits {
    std::string name;             // may be empty
    std::string session;          // see AgentSession; may be empty
    bool keeps_lock = false;      // it holds the assignment's lock while it works
    bool ends_when_told = false;  // a kick ends its work, and it lets go of the task then
};

// Announces a fresh agent and waits, without limit, for what it is given. Waits up to 10 s for the pool, and
// as long as it takes for room on its disk. A terminal cancellation takes the announcement back and throws
// operation_aborted.
boost::asio::awaitable<base::Result<Assignment>> get_task(io::DirectoryWatch& watch,
                                                          pool_protocol::PoolDirectory directory,
                                                          AgentTraits traits,
                                                          LargeContent large = LargeContent::is_read);

// Answers a task or a heartbeat: the response file appears whole.
base::Result<void> respond(const pool_protocol::PoolDirectory& directory, const Assignment& assignment,
                           std::string_view response);

// Whether the agent's ready file is still there: the daemon removes it when it has taken in how the task
// ended.
bool is_assigned(const pool_protocol::PoolDirectory& directory, const Assignment& assignment);

// The reason, if the daemon has told the agent by file to end its work, or has taken its files away.
std::optional<std::string> kick_reason(const pool_protocol::PoolDirectory& directory,
                                       const Assignment& assignment);

// Lets go of a task by file. Where there is no room for the reason, the ready file's removal hands it back.
// An agent that was kicked meanwhile has nothing to let go of: errc::no_such_file_or_directory.
base::Result<void> release(const pool_protocol::PoolDirectory& directory, const Assignment& assignment,
                           std::string_view agent_name, pool_protocol::Release release);

}  // namespace pool_client
