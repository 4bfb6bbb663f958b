// Reports to the client, for as long as this exists, how long a call has waited. If the client does not want
// to know, nothing happens: a server whose calls only wait is not woken.
#pragma once

#include "mcp/arguments.hpp"
#include "mcp/server.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <memory>

namespace mcp {

class Waiting {
  public:
    // `longest`: for which the call waits at most. The server must outlive this.
    Waiting(boost::asio::any_io_executor executor, Server& server, CallId call, std::chrono::seconds longest);
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;

  private:
    void report();

    boost::asio::steady_timer timer_;
    Server& server_;
    CallId call_;
    std::chrono::seconds longest_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    std::shared_ptr<int> alive_ = std::make_shared<int>();
};

// The argument `wait_seconds` of a tool that waits: 30 s if it is missing, and 45 s at most, because clients
// give up after a time of their own.
std::chrono::seconds wait_in(Arguments& arguments);

}  // namespace mcp
