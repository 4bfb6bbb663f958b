// The only place where coroutines are spawned, except for the main coroutines of commands (apps/). Each is
// counted and can be cancelled and waited for; an exception that leaves one is passed to the owner instead of
// being lost. Owns the cancellation of the coroutines, not their work.
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

// To be used from the executor's thread only. Must outlive its coroutines: call cancel() and join() before
// destruction.
class TaskGroup {
  public:
    // `on_exception` gets the name of a coroutine and the exception that left it, which is a bug. The
    // cancellation of a coroutine is not reported.
    using OnException = std::function<void(const std::string& name, std::exception_ptr)>;

    TaskGroup(boost::asio::any_io_executor executor, OnException on_exception);
    ~TaskGroup();
    TaskGroup(const TaskGroup&) = delete;
    TaskGroup& operator=(const TaskGroup&) = delete;

    // Starts `body` from the event loop. After cancel(), it is destroyed without having run.
    void spawn(std::string name, boost::asio::awaitable<void> body);

    // Sends a terminal cancellation to every coroutine. A coroutine that has work to do afterwards must reset
    // its cancellation state (this_coro::reset_cancellation_state).
    void cancel();

    // Returns when no coroutine is left.
    boost::asio::awaitable<void> join();

    // Does what join() does, but passes a terminal cancellation of the caller on to the coroutines. Then it
    // throws operation_aborted once no coroutine is left.
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
    boost::asio::steady_timer empty_;  // cancelled when the last coroutine ends
    bool cancelled_ = false;
};

// An OnException that logs an error.
void log_exception(const std::string& name, std::exception_ptr exception);

}  // namespace io
