// Ends an operation from outside: at the first of several signals, or after a time on the active clock. Both
// cancel the operation that is bound to slot(), with terminal cancellation. Input that arrived before the
// timeout is processed first. An ignored SIGHUP (nohup) stays ignored.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include <chrono>
#include <initializer_list>
#include <memory>
#include <optional>

namespace io {

// May be destroyed at any time, also while a signal is being delivered.
class Interruption {
  public:
    Interruption(boost::asio::any_io_executor executor, std::initializer_list<int> signals,
                 std::optional<std::chrono::milliseconds> timeout = {});
    ~Interruption();
    Interruption(const Interruption&) = delete;
    Interruption& operator=(const Interruption&) = delete;

    boost::asio::cancellation_slot slot();
    bool happened() const;
    int signal_number() const;  // 0 if the time is over, or if nothing has happened

    // For the end of the process: from now on nothing is interrupted, and SIGINT, SIGTERM and SIGHUP are
    // delayed until it has ended, so that its exit code and its last words stay.
    void cancel();

  private:
    struct State;
    std::shared_ptr<State> state_;
};

}  // namespace io
