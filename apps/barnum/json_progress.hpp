// `--progress json`: prints all events, including the log's lines, as JSON objects, one per line
// (docs/progress.md).
#pragma once

#include "io/log.hpp"
#include "progress.hpp"

#include <boost/asio/steady_timer.hpp>

#include <string>

namespace barnum {

class JsonProgress : public Progress {
  public:
    JsonProgress(const boost::asio::any_io_executor& executor, WatchedRun run);
    ~JsonProgress() override;

    boost::asio::awaitable<void> show() override;

    void begun(const workflow::State& state) override;
    void started(const runner::Attempt& attempt) override;
    void entered(const runner::Attempt& attempt, workflow::Phase phase) override;
    void decided(const runner::Decision& decision) override;

  private:
    void conclude(const runner::Outcome& outcome) override;
    std::string ended(const runner::Decision& decision) const;

    boost::asio::steady_timer timer_;
};

}  // namespace barnum
