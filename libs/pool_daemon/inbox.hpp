// Turns the kernel's events on the pool's directories into calls, and scans the directories to make up for
// lost events. Looks at names only: Agents and Submissions read the files.
//
// Besides the scans at the start and after an overflow there is one of last resort: 30 s after something has
// happened, and so every 30 s while there is something to do. It is armed by what happens, not by the clock:
// a daemon with nothing to do sleeps, whatever waits in it.
#pragma once

#include "io/directory_watch.hpp"
#include "pool_daemon/agents.hpp"
#include "pool_daemon/pool_files.hpp"
#include "pool_daemon/submissions.hpp"
#include "pool_daemon/timer_queue.hpp"

#include <functional>
#include <memory>
#include <string_view>

namespace pool_daemon {

class Inbox {
  public:
    struct Callbacks {
        std::function<void()> stop;   // somebody wrote `stop` into the status file; may be called again
        std::function<void()> drain;  // the same
        std::function<void()> lost;   // something that the pool needs was removed
    };

    Inbox(io::DirectoryWatch& watch, const PoolFiles& files, TimerQueue& timers, Agents& agents,
          Submissions& submissions, Callbacks callbacks);

    // First watch, then scan: what comes in between is seen twice, which is harmless.
    base::Result<void> watch();
    void scan();
    void stop();
    // To be called when a frame has come: the scan of last resort is due in 30 s.
    void schedule_rescan();

  private:
    void agents_event(const io::DirectoryEvent& event);
    void submissions_event(const io::DirectoryEvent& event);
    void pool_event(const io::DirectoryEvent& event);
    void agent_file_written(std::string_view name, Agents::Seen seen);
    void submission_file_written(std::string_view name);
    void look_at_status();
    void scan_agents();
    void scan_submissions();
    void log_once(const io::Directory& directory, std::string_view name);

    io::DirectoryWatch& watch_;
    const PoolFiles& files_;
    TimerQueue& timers_;
    Agents& agents_;
    Submissions& submissions_;
    Callbacks callbacks_;
    std::vector<std::unique_ptr<io::DirectoryWatch::Subscription>> subscriptions_;
    std::unordered_set<std::string> foreign_names_;  // each logged once
    bool scan_due_ = false;
};

}  // namespace pool_daemon
