// `--progress plain`: the log's lines, and a summary on one line every 30 seconds. For CI and files.
#pragma once

#include "displays/progress.hpp"

#include <boost/asio/steady_timer.hpp>

#include <string>

namespace displays {

class PlainProgress : public Progress {
  public:
    PlainProgress(const boost::asio::any_io_executor& executor, WatchedRun run);

    boost::asio::awaitable<void> show() override;

  private:
    void conclude(const runner::Outcome&) override {}

    boost::asio::steady_timer timer_;
};

// The time between two summaries of `plain` and `json`.
inline constexpr std::chrono::seconds summary_interval{30};

// Turns the colours of the log's levels on stderr on or off.
void present_log(bool colored);

}  // namespace displays
