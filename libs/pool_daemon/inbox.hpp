// From the pool's directories to calls: the kernel's events, and the scan that makes up for lost ones (R18).
// Looks at names only; what the files say is Agents' and Submissions' business.
//
// Besides the scans at the start and after an overflow there is one of last resort: 30 s after something has
// happened, and so every 30 s while there is something to do. It is armed by what happens, not by the clock:
// a daemon with nothing to do sleeps, whatever waits in it (faults.md: "inotify overflow").
#pragma once

#include "io/directory_watch.hpp"
#include "pool_daemon/agents.hpp"
#include "pool_daemon/alarms.hpp"
#include "pool_daemon/pool_files.hpp"
#include "pool_daemon/submissions.hpp"

#include <functional>
#include <memory>
#include <string_view>

namespace pool_daemon {

class Inbox {
  public:
    struct Callbacks {
        std::function<void()> stop;   // somebody wrote so into the status file (R4); perhaps told again
        std::function<void()> drain;  // the same
        std::function<void()> lost;   // something that the pool needs was removed
    };

    Inbox(io::DirectoryWatch& watch, const PoolFiles& files, Alarms& alarms, Agents& agents,
          Submissions& submissions, Callbacks callbacks);

    // First watch, then scan: what comes in between is seen twice, which is harmless.
    base::Result<void> watch();
    void scan();
    void stop();
    // Something has happened, here or on the socket: the scan of last resort is due in 30 s.
    void stir();

  private:
    void agents_event(const io::DirectoryEvent& event);
    void submissions_event(const io::DirectoryEvent& event);
    void pool_event(const io::DirectoryEvent& event);
    void agent_file_written(std::string_view name, Agents::Seen seen);
    void submission_file_written(std::string_view name);
    void look_at_status();
    void scan_agents();
    void scan_submissions();
    void told_once(const io::Directory& directory, std::string_view name);

    io::DirectoryWatch& watch_;
    const PoolFiles& files_;
    Alarms& alarms_;
    Agents& agents_;
    Submissions& submissions_;
    Callbacks callbacks_;
    std::vector<std::unique_ptr<io::DirectoryWatch::Subscription>> subscriptions_;
    std::unordered_set<std::string> foreign_names_;  // told of once
    bool scan_due_ = false;
};

}  // namespace pool_daemon
