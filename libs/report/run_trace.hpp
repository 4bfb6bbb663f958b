// The trace of a run, from its state log.
#pragma once

#include "base/error.hpp"
#include "io/unique_fd.hpp"
#include "runs/run_directories.hpp"
#include "trace/trace.hpp"

#include <cstdint>
#include <string>

namespace report {

struct ReadTrace {
    io::UniqueFd fd;  // of the log
    trace::Trace trace;
    std::uint64_t bytes = 0;  // of the log, as far as it was read
    bool is_used = false;     // a process held the log's lock when it was opened
};

// Reads the log as it is now; a run may be writing it. Fails as statelog::open_log() does; damage is
// errc::bad_message. Blocking.
base::Result<ReadTrace> read_trace(const std::string& path);

// The record of a run that has none, from its log.
runs::RunRecord record_from(const ReadTrace& read);

}  // namespace report
