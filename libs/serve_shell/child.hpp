// Runs commands of this program in processes of their own, for `barnum serve`: what they do blocks, and may
// take long.
#pragma once

#include "base/error.hpp"
#include "io/bell.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace serve_shell {

// To be used from the executor's thread only.
class OwnCommands {
  public:
    explicit OwnCommands(const boost::asio::any_io_executor& executor) : executor_(executor) {}

    // What the command printed, without white space at the end. `arguments`: "why", "last", "3". If it fails,
    // the error is the message that it printed. It has a minute. A few run at a time, others wait.
    boost::asio::awaitable<base::Result<std::string>> run(std::vector<std::string> arguments);

  private:
    boost::asio::any_io_executor executor_;
    std::size_t running_ = 0;
    io::Bells waiting_;
};

}  // namespace serve_shell
