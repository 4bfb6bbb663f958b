// The terminal while a program uses the whole screen: what it shows, keys, the signals that end it, change
// its size or suspend it. Knows nothing of what is shown.
#pragma once

#include "io/nonblocking_writer.hpp"
#include "terminal/full_screen.hpp"
#include "terminal/size.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/signal_set.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace screen {

// Whether stdout is a terminal that FullScreen can draw on.
bool is_possible();

// The lines to show on a screen of that size: not longer than `size.columns`, and not more than `size.rows`.
using Lines = std::function<std::vector<std::string>(terminal::Size size, bool colored)>;

// The destructor restores the terminal. If the terminal does not accept output, for example over a stalled
// connection, nothing waits for it: when it accepts output again, it gets what is shown next. Callbacks run
// from the event loop.
class FullScreen {
  public:
    // `on_end` is called when q or a signal requests the end, with the exit code.
    FullScreen(boost::asio::io_context& loop, std::function<void(int exit_code)> on_end);
    ~FullScreen();
    FullScreen(const FullScreen&) = delete;
    FullScreen& operator=(const FullScreen&) = delete;

    // Draws the lines, and again whenever the size of the terminal changes.
    void show(Lines lines);
    // Ends all waiting.
    void close();

  private:
    void enter();
    void leave();
    void draw();
    void suspend();
    void wait_for_signal();
    void wait_for_keys();
    bool read_keys();

    std::function<void(int)> on_end_;
    boost::asio::signal_set signals_;
    std::shared_ptr<int> alive_ = std::make_shared<int>();  // expires with this, before a late handler
    boost::asio::posix::stream_descriptor keys_;
    std::optional<terminal::UnseenKeys> unseen_;
    io::NonblockingWriter screen_;
    bool is_shown_ = false;
    Lines lines_;  // may be empty
    bool colored_;
};

}  // namespace screen
