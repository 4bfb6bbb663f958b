// The agent's side of a pool's files: announces an agent, waits for an assignment, and responds to it or
// releases it.
#pragma once

#include "base/error.hpp"
#include "base/labels.hpp"
#include "io/directory.hpp"
#include "io/directory_watch.hpp"
#include "pool_protocol/agent_report.hpp"
#include "pool_protocol/kick_reason.hpp"
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
    std::string content;        // JSON text; empty for kicked, and if it was left in its file
    io::OpenFile content_file;  // the task file
    // task: the JSON Schema of the response, if the agent wants it and the submitter has sent it; else empty
    std::string response_schema;
    pool_protocol::StatedKickReason reason = pool_protocol::KickReason::timeout;  // kicked only
    io::UniqueFd lock;  // of the ready file: an agent that keeps it holds it while it works
};

// Whether a task's content of more than 64 KiB is read, or left in its file for callers that only pass it on.
enum class LargeContent { is_read, is_left };

// The content, read from its file if it was left there.
base::Result<std::string> content_of(const Assignment& assignment);

// The JSON that `troupe get_task` prints, on one line.
std::string to_json(const Assignment& assignment, const std::string& agent_name);

// What an agent writes into its ready file.
struct AgentTraits {
    std::string name;             // may be empty
    std::string session;          // see AgentSession; may be empty
    bool keeps_lock = false;      // it holds the assignment's lock while it works
    bool ends_when_told = false;  // a kick ends its work, and then it releases the task
    base::Labels labels = {};     // it gets only tasks of which it has all labels
    bool wants_schema = false;    // it gets the schema of the response
    bool reports = false;         // it may respond with a report
    std::string account = {};     // a name for its account at a provider; may be empty
};

// Announces a new agent and waits for its assignment without a limit. Waits up to 10 s for the pool, and
// without a limit for free space on its disk. A terminal cancellation withdraws the announcement and throws
// operation_aborted.
boost::asio::awaitable<base::Result<Assignment>> get_task(io::DirectoryWatch& watch,
                                                          pool_protocol::PoolDirectory directory,
                                                          AgentTraits traits,
                                                          LargeContent large = LargeContent::is_read);

// Responds to a task or a heartbeat: the response file appears atomically. The report, which only an agent
// with AgentTraits::reports may give, is written first; if it cannot be, the response goes without it.
base::Result<void> respond(const pool_protocol::PoolDirectory& directory, const Assignment& assignment,
                           std::string_view response,
                           const std::optional<pool_protocol::AgentReport>& report = std::nullopt);

// Whether the agent's ready file still exists: the daemon removes it when it has processed the end of the
// task.
bool is_assigned(const pool_protocol::PoolDirectory& directory, const Assignment& assignment);

// The reason, if the daemon has kicked the agent by a file, or has removed the agent's files.
std::optional<pool_protocol::StatedKickReason> kick_reason(const pool_protocol::PoolDirectory& directory,
                                                           const Assignment& assignment);

// Releases a task by file. If the disk is too full for the reason, the ready file is removed, which hands the
// task back. If the agent was kicked meanwhile, the error is errc::no_such_file_or_directory.
base::Result<void> release(const pool_protocol::PoolDirectory& directory, const Assignment& assignment,
                           std::string_view agent_name, pool_protocol::Release release);

}  // namespace pool_client
