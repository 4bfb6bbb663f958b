// What ends a piece of work from outside: the first of some signals, or a time on the active clock. Either
// cancels what is bound to slot(), terminally. Time is over only when what had come by then was handled; a
// SIGHUP that is ignored, by nohup, stays so.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include <chrono>
#include <initializer_list>
#include <memory>
#include <optional>

namespace io {

// May go at any time: a signal that was on its way finds nobody then.
class Interruption {
  public:
    Interruption(boost::asio::any_io_executor executor, std::initializer_list<int> signals,
                 std::optional<std::chrono::milliseconds> timeout = {});
    ~Interruption();
    Interruption(const Interruption&) = delete;
    Interruption& operator=(const Interruption&) = delete;

    boost::asio::cancellation_slot slot();
    bool happened() const;
    int signal_number() const;  // 0: the time is over, or nothing has happened
    void cancel();              // from now on nothing happens any more

  private:
    struct State;
    std::shared_ptr<State> state_;
};

}  // namespace io
