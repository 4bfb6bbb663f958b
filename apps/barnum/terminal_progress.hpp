// `--progress tty`: a table at the end of the terminal, drawn again when something has changed, at most ten
// times a second, and once a second for the clocks. Log lines come out above it; those that only say what the
// table shows are left out, unless the log's level is debug. Leaves the terminal as it is at any moment: a
// killed run has nothing to restore.
#pragma once

#include "io/log.hpp"
#include "progress.hpp"
#include "terminal/live_block.hpp"

#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>

#include <string>

namespace barnum {

class TerminalProgress : public Progress {
  public:
    TerminalProgress(boost::asio::any_io_executor executor, bool colored, WatchedRun run);
    ~TerminalProgress() override;

    boost::asio::awaitable<void> show() override;
    void abandon() override;
    bool leaves_table() const override { return has_begun(); }

  private:
    void changed() override;
    void conclude(const runner::Outcome& outcome) override;
    void watch_terminal();
    void draw();
    std::string present(const io::log::Line& line);

    bool colored_;
    terminal::LiveBlock block_;
    boost::asio::steady_timer timer_;
    boost::asio::signal_set signals_;
    std::shared_ptr<int> alive_ = std::make_shared<int>();  // for a signal on its way when this ends
    bool has_changed_ = false;
    bool sleeps_ = false;  // until something changes, or a second is over
};

}  // namespace barnum
