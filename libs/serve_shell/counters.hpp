// The counters of `barnum serve` for Prometheus: reads on in the logs of all runs that live, or have lived
// since the server began, whenever they are asked for. Costs nothing in between.
#pragma once

#include "io/bell.hpp"
#include "io/unique_fd.hpp"
#include "serve/run_counter.hpp"
#include "serve_shell/runs.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace serve_shell {

// To be used from the executor's thread only.
class ServeCounters {
  public:
    explicit ServeCounters(const boost::asio::any_io_executor& executor);

    // Counts what has happened in these runs since the last call.
    boost::asio::awaitable<void> count(const ServedRuns& runs);

    const serve::RunTotals& totals() const { return totals_; }
    statelog::Time begun() const { return begun_; }

  private:
    struct Log {
        serve::RunCounter counter;
        io::UniqueFd fd;
        std::uint64_t offset = 0;
        bool is_damaged = false;
    };

    void open_logs(const ServedRuns& runs);
    void open_log(const runs::RunRecord& record);
    bool read_piece(Log& log);

    boost::asio::any_io_executor executor_;
    statelog::Time begun_;
    serve::RunTotals totals_;
    std::map<std::string, Log> logs_;  // by the ids of runs
    std::set<std::string> living_;     // of those, the runs whose logs may grow
    std::set<std::string> done_;       // ids of runs that have ended and are counted
    bool is_counting_ = false;
    io::Bells waiting_;
};

}  // namespace serve_shell
