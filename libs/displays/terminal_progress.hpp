// `--progress tty`: a table at the end of the terminal's output. It is redrawn after changes, at most ten
// times a second, and once a second because of the durations. Log lines are printed above it; those that only
// repeat what the table shows are left out, unless the log level is debug. Changes no terminal setting that
// would have to be restored, so a run may be killed at any moment.
#pragma once

#include "displays/progress.hpp"
#include "io/log.hpp"
#include "terminal/live_block.hpp"

#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>

#include <string>

namespace displays {

class TerminalProgress : public Progress {
  public:
    TerminalProgress(const boost::asio::any_io_executor& executor, bool colored, WatchedRun run);
    ~TerminalProgress() override;

    boost::asio::awaitable<void> show() override;
    void abandon() override;
    bool leaves_table() const override { return has_begun(); }

  private:
    void changed() override;
    void conclude(const runner::Outcome& outcome) override;
    void watch_terminal();
    void suspend();
    void draw();
    std::string present(const io::log::Line& line);

    bool colored_;
    terminal::LiveBlock block_;
    boost::asio::steady_timer timer_;
    boost::asio::signal_set signals_;
    std::shared_ptr<int> alive_ = std::make_shared<int>();  // expires with this, before a late handler
    bool has_changed_ = false;
    bool sleeps_ = false;  // until something changes, or a second has passed
};

}  // namespace displays
