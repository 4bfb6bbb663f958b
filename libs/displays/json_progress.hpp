// `--progress json`: prints all events, including the log's lines, on stderr.
#pragma once

#include "displays/event_progress.hpp"
#include "io/log.hpp"

#include <boost/asio/steady_timer.hpp>

#include <string>

namespace displays {

class JsonProgress : public EventProgress {
  public:
    JsonProgress(const boost::asio::any_io_executor& executor, WatchedRun run);
    ~JsonProgress() override;

    boost::asio::awaitable<void> show() override;

  private:
    bool wants_events() const override { return true; }
    void put_event(const std::string& line) override { io::log::put_on_stderr(line); }
    void conclude(const runner::Outcome& outcome) override { put_event(end_event(outcome)); }

    boost::asio::steady_timer timer_;
};

}  // namespace displays
