// What becomes of an exception that nobody has expected. What is in memory may contradict itself then, so the
// process ends at once, as if it had been killed: no destructor runs. That costs nothing, because what is on
// the disk is whole at any time, and a process with children has a guard that ends them. In every program
// that links this, std::terminate() does the same, also before main().
#pragma once

#include <boost/asio/io_context.hpp>

#include <exception>
#include <functional>
#include <string>

namespace io {

constexpr int internal_error_code = 70;  // EX_SOFTWARE of sysexits.h

// Logs "internal error in NAME: …", or without a name "internal error: …", and ends the process with
// internal_error_code. As TaskGroup::OnException, for coroutines without which the process cannot go on.
[[noreturn]] void end_process(const std::string& name, std::exception_ptr exception);

// Runs `loop` to its end. An exception that leaves a handler ends the process.
void run_loop(boost::asio::io_context& loop);

// What else is done when the process ends so, if it is the main thread that ends it. Each may be empty, and
// may throw.
struct LastWords {
    std::function<void()> before;  // before the error is told: restores the terminal
    std::function<void()> after;
};
void set_last_words(LastWords words);

}  // namespace io
