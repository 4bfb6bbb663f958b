// The terminal while `troupe top` runs: the whole screen, keys, the signals that end it, change its size or
// suspend it. Knows nothing of where a status comes from.
#pragma once

#include "io/nonblocking_writer.hpp"
#include "pool_view/status_view.hpp"
#include "terminal/full_screen.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/signal_set.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace troupe {

// The destructor restores the terminal. If the terminal does not accept output, for example over a stalled
// connection, nothing waits for it: when it accepts output again, it gets the next status. Callbacks run from
// the event loop.
class TopScreen {
  public:
    // `on_end` is called when a key or a signal requests the end, with the exit code.
    TopScreen(boost::asio::io_context& loop, std::function<void(int exit_code)> on_end);
    ~TopScreen();
    TopScreen(const TopScreen&) = delete;
    TopScreen& operator=(const TopScreen&) = delete;

    void show(pool_protocol::Status status);
    void show(std::string problem);
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
    std::optional<pool_protocol::Status> status_;  // or:
    std::string problem_;
    bool colored_;
};

}  // namespace troupe
