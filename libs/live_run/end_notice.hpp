// Tells a command of the user's that the run has ended, or waits for a person (--on-end, BARNUM_NOTIFY).
#pragma once

#include "launch/run_options.hpp"
#include "output/redaction.hpp"
#include "runs/run_record.hpp"

#include <boost/asio/awaitable.hpp>

#include <memory>
#include <string>

namespace live_run {

// What is told; docs/runs.md describes the JSON.
struct EndOfRun {
    runs::RunRecord record;
    std::string path;    // of the run's directory; empty if it has none
    std::string resume;  // the command that resumes the run; empty if nothing is left
};

std::string to_json(const EndOfRun& end);

// Runs the command of --on-end, otherwise that of BARNUM_NOTIFY, if there is one, with the JSON on its stdin,
// and waits for its end: up to 30 s, or until a signal ends the wait. Logs a warning if it fails, with the
// last line of its stderr, redacted.
void tell_of_end(const launch::RunOptions& options, const EndOfRun& end,
                 std::shared_ptr<const output::Redaction> redaction);

// Tells in the same way that the run waits for a person. No signal ends the wait. `options` must outlive it.
boost::asio::awaitable<void> tell_of_waiting(const launch::RunOptions& options, EndOfRun run,
                                             std::shared_ptr<const output::Redaction> redaction);

}  // namespace live_run
