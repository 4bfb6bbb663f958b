// Keeps the list of runs up to date while somebody watches it, and notifies the watchers when it has changed.
// Sleeps otherwise.
#pragma once

#include "io/bell.hpp"
#include "serve_shell/runs.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

namespace serve_shell {

// To be used from the executor's thread only.
class RunsWatch {
  public:
    explicit RunsWatch(const boost::asio::any_io_executor& executor) : wake_(executor) {}

    // Watches until it is cancelled.
    boost::asio::awaitable<void> run();

    // Rings when the list has changed, for as long as the result exists.
    io::Bells::Watch watch(io::Bell& bell);

    // The list as it is now, or an error.
    base::Result<const ServedRuns*> now();
    // The list as it was when it was looked at last.
    const ServedRuns& last() const { return list_; }

  private:
    void look();

    ServedRuns list_;
    io::Bell wake_;
    io::Bells watchers_;
};

}  // namespace serve_shell
