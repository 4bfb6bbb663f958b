// The one place where coroutines are spawned: each is counted, can be cancelled and waited for, and an
// exception that leaves one is handed to the owner instead of being lost. Owns the coroutines' cancellation,
// not their work.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/steady_timer.hpp>

#include <exception>
#include <functional>
#include <list>
#include <string>

namespace io {

// All calls from the executor's thread. Must outlive its coroutines: cancel() and join() before destruction.
class TaskGroup {
  public:
    // `on_exception` gets a coroutine's name and what left it: a bug. The end of a cancelled coroutine is no
    // exception.
    using OnException = std::function<void(const std::string& name, std::exception_ptr)>;

    TaskGroup(boost::asio::any_io_executor executor, OnException on_exception);
    ~TaskGroup();
    TaskGroup(const TaskGroup&) = delete;
    TaskGroup& operator=(const TaskGroup&) = delete;

    // Starts `body` at the next turn of the loop. After cancel() it is dropped without having run.
    void spawn(std::string name, boost::asio::awaitable<void> body);

    // Terminal cancellation to every coroutine there is. A coroutine that must still do something afterwards
    // resets its cancellation state (this_coro::reset_cancellation_state).
    void cancel();

    // Returns when no coroutine is left.
    boost::asio::awaitable<void> join();

    // The same, but a terminal cancellation of the caller is passed on to the coroutines; throws
    // operation_aborted then, once none is left.
    boost::asio::awaitable<void> join_or_cancel();

    std::size_t size() const { return members_.size(); }

  private:
    struct Member {
        std::string name;
        boost::asio::cancellation_signal signal;
    };

    void ended(std::list<Member>::iterator member, std::exception_ptr exception);

    boost::asio::any_io_executor executor_;
    OnException on_exception_;
    std::list<Member> members_;
    boost::asio::steady_timer empty_;  // cancelled when the last member ends
    bool cancelled_ = false;
};

// An OnException that writes an error to the log.
void log_exception(const std::string& name, std::exception_ptr exception);

}  // namespace io
