// The results of a task's descendants, for its `finally` or `gather` (docs/hooks.md, "Results"), read from
// the run's state log: the shell around statelog/descendants. Reads in slices, between which the event loop
// goes on. One pass over the part of the log since the task has ended.
#pragma once

#include "base/error.hpp"
#include "config/workflow_config.hpp"
#include "runner/result_rows.hpp"
#include "statelog/descendants.hpp"
#include "statelog/log_file.hpp"
#include "workflow/attempt_event.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace runner {

// All calls from the executor's thread. The config must outlive it.
class ResultFiles {
  public:
    // `log` is the log, whose size counts as valid, or why it cannot be read, which is the error of the calls
    // below then. The files are created in `directory`, which is created with the first one, mode 0700, and
    // removed with this object.
    ResultFiles(boost::asio::any_io_executor executor, const config::WorkflowConfig& config,
                base::Result<statelog::LogReading> log, std::string directory);
    ResultFiles(const ResultFiles&) = delete;
    ResultFiles& operator=(const ResultFiles&) = delete;
    ~ResultFiles();

    // The durable part of the log.
    std::uint64_t log_bytes() const { return bytes_; }
    void set_log_bytes(std::uint64_t bytes) { bytes_ = bytes; }

    // The entry with the end of this task, whose `finally` follows, begins at this byte.
    void note_end(workflow::TaskId task, std::uint64_t offset) { ends_[task] = offset; }
    // The ends of these tasks, whose `finally`s follow, are somewhere in the log.
    void expect(const std::vector<workflow::TaskId>& tasks) { unknown_.insert(tasks.begin(), tasks.end()); }
    // Its `finally` has ended.
    void forget(workflow::TaskId task) { ends_.erase(task); }

    // The file for the hook of `finally`, which is that of `task`. Errors contain the path.
    boost::asio::awaitable<base::Result<ResultRows>> write(workflow::TaskId task, workflow::TaskId finally);

    boost::asio::awaitable<base::Result<workflow::Gathered>> gather(workflow::TaskId task,
                                                                    const config::Gather& gather);

  private:
    using TakeLine = std::function<base::Result<void>(std::string_view line)>;

    boost::asio::awaitable<base::Result<void>> read_lines(std::uint64_t begin, TakeLine take);
    // Passes the lines to `descendants`.
    boost::asio::awaitable<base::Result<void>> read(workflow::TaskId task,
                                                    statelog::Descendants& descendants);
    boost::asio::awaitable<base::Result<void>> find_end(workflow::TaskId task);

    boost::asio::any_io_executor executor_;
    const config::WorkflowConfig& config_;
    base::Result<statelog::LogReading> log_;
    std::uint64_t bytes_;
    std::string directory_;
    std::unordered_map<workflow::TaskId, std::uint64_t> ends_;
    std::unordered_set<workflow::TaskId> unknown_;  // their ends were not looked for
};

}  // namespace runner
