// From the pool's directories to calls: the kernel's events, and the scan that makes up for lost ones (R18).
// Looks at names only; what the files say is Agents' and Submissions' business.
#pragma once

#include "io/directory_watch.hpp"
#include "pool_daemon/agents.hpp"
#include "pool_daemon/pool_files.hpp"
#include "pool_daemon/submissions.hpp"

#include <functional>
#include <memory>
#include <string_view>

namespace pool_daemon {

class Inbox {
  public:
    // `on_stop`: somebody wrote `stop` into the status file (R4). `on_lost`: one of the pool's directories
    // was removed.
    Inbox(io::DirectoryWatch& watch, const PoolFiles& files, Agents& agents, Submissions& submissions,
          std::function<void()> on_stop, std::function<void()> on_lost);

    // Watches first, then scans.
    base::Result<void> start();
    void stop();

  private:
    void agents_event(const io::DirectoryEvent& event);
    void submissions_event(const io::DirectoryEvent& event);
    void pool_event(const io::DirectoryEvent& event);
    void agent_file_written(std::string_view name, Agents::Seen seen);
    void submission_file_written(std::string_view name);
    void scan_agents();
    void scan_submissions();

    io::DirectoryWatch& watch_;
    const PoolFiles& files_;
    Agents& agents_;
    Submissions& submissions_;
    std::function<void()> on_stop_;
    std::function<void()> on_lost_;
    std::vector<std::unique_ptr<io::DirectoryWatch::Subscription>> subscriptions_;
    std::unordered_set<std::string> foreign_names_;  // told of once
};

}  // namespace pool_daemon
