// Writes a dialog's texts to a child's stdin.
#pragma once

#include "io/unique_fd.hpp"
#include "process/child_dialog.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>

#include <memory>
#include <string>

namespace process {

// Kept alive by its writes. SIGPIPE must be ignored.
class ChildStdin : public std::enable_shared_from_this<ChildStdin> {
  public:
    ChildStdin(const boost::asio::any_io_executor& executor, std::shared_ptr<ChildDialog> dialog)
        : pipe_(executor), dialog_(std::move(dialog)) {}

    // `pipe` leads to the child's stdin.
    void start(io::UniqueFd pipe);
    // What has not been written is dropped.
    void close();

  private:
    void write();

    boost::asio::posix::stream_descriptor pipe_;
    std::shared_ptr<ChildDialog> dialog_;
    std::string sending_;  // not empty while a write is under way
};

}  // namespace process
