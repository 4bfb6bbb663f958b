// The control socket of a living run, control.sock in its directory: other commands are shown the run's
// progress through it, and change it (docs/runs.md).
#pragma once

#include "base/error.hpp"
#include "displays/viewers.hpp"
#include "io/frame_listener.hpp"
#include "runs/control_message.hpp"

#include <boost/asio/any_io_executor.hpp>

#include <functional>
#include <string>

namespace live_run {

// All calls from the executor's thread.
class RunControl {
  public:
    // Each returns the answer for the user; an error if the request is refused.
    struct Actions {
        std::function<base::Result<std::string>(const runs::Pause& pause)> pause;
        std::function<base::Result<std::string>(const runs::Scale& scale)> scale;
        // Calls `reply` when the answer is durable or refused; at the latest when the run ends.
        using Reply = std::function<void(base::Result<std::string>)>;
        std::function<void(runs::HumanAnswer answer, Reply reply)> answer;
    };

    // Creates the socket in `directory`. `viewers` must outlive it.
    static base::Result<std::unique_ptr<RunControl>> open(boost::asio::any_io_executor executor,
                                                          const std::string& directory,
                                                          displays::Viewers& viewers, Actions actions);
    // Closes all connections, and removes the socket.
    ~RunControl();
    RunControl(const RunControl&) = delete;
    RunControl& operator=(const RunControl&) = delete;

  private:
    RunControl(const boost::asio::any_io_executor& executor, io::UniqueFd socket, std::string path,
               displays::Viewers& viewers, Actions actions);
    io::FramedSocket::Callbacks callbacks();
    void serve(const displays::Viewers::Connection& connection, const std::string& frame);

    std::string path_;
    displays::Viewers& viewers_;
    Actions actions_;
    io::FrameListener listener_;
};

}  // namespace live_run
