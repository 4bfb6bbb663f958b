// Translates the kernel's events of the pool's directories into calls, and scans the directories in case
// events were lost. Looks at names only: Agents and Submissions read the files.
//
// In addition to the scans at the start and after an overflow, there is a fallback scan 30 s after each
// event, and so every 30 s while there is work. It is scheduled by events, not periodically: a daemon without
// work sleeps.
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
        std::function<void()> stop;   // `stop` was written to the status file; may be called again
        std::function<void()> drain;  // `drain` was written to the status file; may be called again
        std::function<void()> lost;   // a file or directory that the pool needs was removed
    };

    Inbox(io::DirectoryWatch& watch, const PoolFiles& files, TimerQueue& timers, Agents& agents,
          Submissions& submissions, Callbacks callbacks);

    // Starts to watch, then scans: an event in between is handled twice, which is harmless.
    base::Result<void> watch();
    void scan();
    void scan_agents();
    void stop();
    // To be called when a frame has arrived: schedules the fallback scan in 30 s.
    void schedule_rescan();

  private:
    void watch_parents();
    void agents_event(const io::DirectoryEvent& event);
    void submissions_event(const io::DirectoryEvent& event);
    void pool_event(const io::DirectoryEvent& event);
    void agent_file_written(std::string_view name, Agents::Source source);
    void submission_file_written(std::string_view name);
    void read_status();
    void scan_submissions();
    void log_once(const io::Directory& directory, std::string_view name);

    io::DirectoryWatch& watch_;
    const PoolFiles& files_;
    TimerQueue& timers_;
    Agents& agents_;
    Submissions& submissions_;
    Callbacks callbacks_;
    std::vector<std::unique_ptr<io::DirectoryWatch::Subscription>> subscriptions_;
    std::unordered_set<std::string> foreign_names_;  // each is logged once
    bool scan_due_ = false;
};

}  // namespace pool_daemon
