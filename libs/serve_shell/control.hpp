// Talks to living runs over their control sockets without blocking, for `barnum serve`.
#pragma once

#include "base/error.hpp"
#include "io/framed_socket.hpp"
#include "runs/control_message.hpp"
#include "runs/run_directories.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <functional>
#include <memory>
#include <string>

namespace serve_shell {

// Sends the request and returns the answer, after 30 s at most. A refusal is an error, and so is a run that
// does not listen.
boost::asio::awaitable<base::Result<std::string>> ask_living_run(runs::FoundRun run,
                                                                 runs::ControlRequest request);

// Receives the state of a living run, as long as both exist.
class StateLink {
  public:
    // `on_state` gets each state, a JSON object; `on_end` is called once, when there are no more. Neither is
    // called after this object was destroyed, nor from open().
    static base::Result<std::unique_ptr<StateLink>> open(const boost::asio::any_io_executor& executor,
                                                         const std::string& run_path,
                                                         std::function<void(std::string)> on_state,
                                                         std::function<void()> on_end);
    ~StateLink();
    StateLink(const StateLink&) = delete;
    StateLink& operator=(const StateLink&) = delete;

  private:
    struct Callbacks;
    StateLink(std::shared_ptr<Callbacks> callbacks, std::shared_ptr<io::FramedSocket> socket);

    std::shared_ptr<Callbacks> callbacks_;
    std::shared_ptr<io::FramedSocket> socket_;
};

}  // namespace serve_shell
