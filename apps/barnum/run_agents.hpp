// The agents of a run (--agents, --agent-exec): runs them for as long as the run lasts, and reports when none
// of them works.
#pragma once

#include "io/directory_watch.hpp"
#include "io/task_group.hpp"
#include "pool_client/agent_loop.hpp"
#include "pool_client/agent_session.hpp"
#include "pool_protocol/pool_directory.hpp"
#include "process/guard.hpp"
#include "run_options.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace barnum {

class RunAgents {
  public:
    struct Callbacks {
        std::function<bool()> hosts_pool;  // whether this process hosts the pool now
        std::function<void(std::string message)>
            on_all_ended;  // only for the run's own pool: no agent could execute its command
    };

    // `guard` may be null. The arguments must outlive this object.
    RunAgents(boost::asio::any_io_executor executor, io::DirectoryWatch& watch,
              pool_protocol::PoolDirectory directory, const RunOptions& options, std::string run_id,
              process::Guard* guard, Callbacks callbacks);

    void start();
    // Returns when the agents that work on tasks of other submitters have finished these. A terminal
    // cancellation ends their commands and hands their tasks back.
    boost::asio::awaitable<void> drain();
    // Ends the agents' commands, and hands their tasks back.
    boost::asio::awaitable<void> stop();

    std::size_t resting() const;
    // If every agent rests or has ended: the reason, and when the next one tries again. Otherwise empty.
    std::string standstill() const;

  private:
    struct Agent {
        enum class State { serves, rests, has_ended };
        State state = State::serves;
        bool is_at_work = false;
        std::string why;
        std::chrono::steady_clock::time_point back{};  // rests: the end of the rest
        bool is_its_own = false;                       // the failure is the agent's, not the task's
    };

    boost::asio::awaitable<void> keep(std::size_t number);
    boost::asio::awaitable<void> await_pool(base::Error why);
    pool_client::AgentOptions options_for(std::size_t number);
    void rests(std::size_t number, const std::string& why, std::chrono::milliseconds time, bool is_its_own);
    void has_ended(std::size_t number, const base::Error& why);
    void report_standstill() const;

    boost::asio::any_io_executor executor_;
    io::DirectoryWatch& watch_;
    pool_protocol::PoolDirectory directory_;
    const RunOptions& options_;
    std::string run_id_;
    Callbacks callbacks_;
    pool_client::AgentSession session_;
    std::vector<Agent> states_;
    std::vector<std::unique_ptr<io::TaskGroup>> agents_;
    io::TaskGroup background_;
    bool waits_for_pool_ = false;  // and this was logged
    bool is_draining_ = false;
};

}  // namespace barnum
