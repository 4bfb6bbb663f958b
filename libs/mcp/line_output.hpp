// Writes lines to a descriptor, in order, without ever blocking the event loop. Decides nothing.
#pragma once

#include "io/bell.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/system/error_code.hpp>

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace mcp {

// A descriptor of its own for what `fd` is, which reads and writes without waiting. A terminal is opened
// again, because that is a property of the open file, which the shell shares.
int own_descriptor(int fd, int flags);

class LineOutput {
  public:
    // Does not own `fd`; for a pipe or a socket, writing without waiting stays set.
    // `on_written` is called when something was written, and when nothing can be written any more.
    LineOutput(boost::asio::any_io_executor executor, int fd, std::function<void()> on_written);
    LineOutput(const LineOutput&) = delete;
    LineOutput& operator=(const LineOutput&) = delete;

    void put(std::string_view line);
    // Writes what is put, until finish() was called and everything is written, or nothing can be written any
    // more.
    boost::asio::awaitable<void> run();
    // Returns when the reader has gone, even if there is nothing to write. Where the system can't say that,
    // never returns before a terminal cancellation.
    boost::asio::awaitable<void> reader_gone();
    void finish();
    std::size_t unwritten() const { return waiting_.size() + in_flight_; }  // bytes
    bool is_behind() const { return is_writing_; }
    bool is_gone() const { return is_gone_; }
    // Why nothing can be written any more; nothing if the reader has gone.
    boost::system::error_code error() const { return error_; }

  private:
    void stop(boost::system::error_code error);

    boost::asio::posix::stream_descriptor out_;
    std::function<void()> on_written_;
    io::Bell wake_;  // rings when there is something to write
    std::string waiting_;
    std::size_t in_flight_ = 0;
    bool is_writing_ = false;
    bool is_finished_ = false;
    bool is_gone_ = false;
    boost::system::error_code error_;
};

}  // namespace mcp
