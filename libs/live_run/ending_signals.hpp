// The signals that end what a command runs: SIGINT, SIGTERM, and SIGHUP unless it is ignored (nohup) or meant
// for the log file. The first one ends it in order, the second one at once. Also those that change the log
// meanwhile.
#pragma once

#include "io/log_signals.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/signal_set.hpp>

#include <functional>

namespace live_run {

class EndingSignals {
  public:
    // From here on the signals have no effect but that of watch(). Ends the delay of
    // io::block_ending_signals(). `has_log_file`: it may be opened again by SIGHUP, as io/log_signals says.
    EndingSignals(const boost::asio::any_io_executor& executor, bool has_log_file);

    // Delays the signals again: one that comes while the process ends does not kill it, and its exit code
    // stays.
    ~EndingSignals();
    EndingSignals(const EndingSignals&) = delete;
    EndingSignals& operator=(const EndingSignals&) = delete;

    // Call once. `on_first` begins the end in order. At the second signal, kills all child processes, calls
    // `before_exit` with the exit code, and exits. A terminal cancellation ends it.
    boost::asio::awaitable<void> watch(std::function<void()> on_first,
                                       std::function<void(int exit_code)> before_exit);

    // The signal that came first; 0: none.
    int first() const { return first_; }

  private:
    boost::asio::awaitable<void> wait();
    boost::asio::awaitable<int> next();

    boost::asio::signal_set signals_;
    io::Hangup hangup_;
    std::function<void()> on_first_;
    std::function<void(int)> before_exit_;
    int first_ = 0;
};

}  // namespace live_run
