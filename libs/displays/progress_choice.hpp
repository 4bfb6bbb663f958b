// The progress of a run on stderr, in the form that `--progress` selects: a table that is redrawn in place, a
// summary line from time to time, or a stream of events.
#pragma once

#include "displays/progress.hpp"
#include "progress/progress_mode.hpp"
#include "terminal/color.hpp"

#include <boost/asio/any_io_executor.hpp>

#include <memory>

namespace displays {

// Null for ProgressMode::none.
std::unique_ptr<Progress> make_progress(const boost::asio::any_io_executor& executor,
                                        progress::ProgressMode mode, terminal::Color color, WatchedRun run);

}  // namespace displays
