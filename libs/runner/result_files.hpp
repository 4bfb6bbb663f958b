// The results of a task's descendants, for its `finally` or `gather` (docs/hooks.md, "Results"), read from
// the run's state log: the shell around statelog/descendants. Reads in slices, between which the event loop
// goes on. Reads the entries of the descendants, and copies what is in the files of `finally`s below.
#pragma once

#include "base/error.hpp"
#include "config/workflow_config.hpp"
#include "io/file_pieces.hpp"
#include "runner/result_index.hpp"
#include "runner/result_rows.hpp"
#include "statelog/descendants.hpp"
#include "statelog/log_file.hpp"
#include "workflow/attempt_event.hpp"
#include "workflow/state.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
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

    // To be called before the first note(): the tasks that there are, of which the log tells.
    void begin(const workflow::State& state);
    // To be called with each entry, and its place in the log.
    void note(const workflow::Entry& entry, io::ByteRange line);

    // The file for the hook of `finally`, which is that of `task`. Errors contain the path.
    boost::asio::awaitable<base::Result<ResultRows>> write(workflow::TaskId task, workflow::TaskId finally);
    // The hook has ended. A large file is kept until the `finally` above has its own, of which it is a part,
    // unless many are.
    void keep(workflow::TaskId task, ResultRows rows);

    boost::asio::awaitable<base::Result<workflow::Gathered>> gather(workflow::TaskId task,
                                                                    const config::Gather& gather);

  private:
    using TakeLine = std::function<base::Result<void>(std::string_view line)>;
    // The file of a `finally`, and the entries from which it was made.
    struct Kept {
        ResultRows rows;
        LogRanges lines;
    };
    using KeptBelow = std::unordered_map<workflow::TaskId, std::vector<Kept>>;

    void end(ResultIndex::Ended ended);
    std::size_t kept_files() const;
    base::Result<void> read_log_now();
    // Where the log tells of the descendants, except those in the files.
    boost::asio::awaitable<base::Result<LogRanges>> lines_of(workflow::TaskId task, bool with_files);
    boost::asio::awaitable<base::Result<void>> read_lines(int fd, LogRanges ranges, TakeLine take);
    // Passes the lines to `descendants`.
    boost::asio::awaitable<base::Result<void>> read(LogRanges ranges, statelog::Descendants& descendants);
    boost::asio::awaitable<base::Result<void>> copy_kept(workflow::TaskId task, ResultRows& rows);
    boost::asio::awaitable<base::Result<LogRanges>> find_end(workflow::TaskId task);

    boost::asio::any_io_executor executor_;
    const config::WorkflowConfig& config_;
    base::Result<statelog::LogReading> log_;
    std::uint64_t bytes_;
    std::string directory_;
    ResultIndex index_;
    bool is_indexed_ = false;                                    // it has seen all entries
    std::unordered_map<workflow::TaskId, ResultRows> finished_;  // of hooks that have ended, by their tasks
    KeptBelow kept_;                                             // by the tasks whose `finally` comes next
};

}  // namespace runner
