// `--progress plain`: the log's lines, and every 30 seconds one that sums up. For CI and files.
#pragma once

#include "progress.hpp"

#include <boost/asio/steady_timer.hpp>

#include <string>

namespace barnum {

class PlainProgress : public Progress {
  public:
    PlainProgress(boost::asio::any_io_executor executor, WatchedRun run);

    boost::asio::awaitable<void> show() override;

  private:
    void conclude(const runner::Outcome&) override {}

    boost::asio::steady_timer timer_;
};

// How often `plain` and `json` sum up.
inline constexpr std::chrono::seconds summary_interval{30};

// From here on the log on stderr has coloured levels, or again has none.
void present_log(bool colored);

}  // namespace barnum
