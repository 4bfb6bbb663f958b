// The agents of a run: runs them for as long as the run lasts, and reports when none of them works.
#pragma once

#include "agents/agent_loop.hpp"
#include "agents/transcripts.hpp"
#include "config/workflow_config.hpp"
#include "io/directory_watch.hpp"
#include "io/task_group.hpp"
#include "launch/run_options.hpp"
#include "live_run/agent_groups.hpp"
#include "live_run/run_pool.hpp"
#include "pool_client/agent_session.hpp"
#include "process/guard.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace live_run {

class RunAgents {
  public:
    struct Callbacks {
        std::function<void(std::string message)>
            on_all_ended;  // only for the run's own pool: no agent is left that could take a task
        // Called only for the run's own pool: no agent is left that could take a task of this Pool step, or
        // none ever was. Called once for each such step.
        std::function<void(config::StepId step, std::string message)> on_unserved;
    };

    // `guard` may be null. `transcripts` is a directory, or empty: none are kept. The arguments must outlive
    // this object.
    RunAgents(boost::asio::any_io_executor executor, io::DirectoryWatch& watch, const RunPool& pool,
              const launch::RunOptions& options, const config::WorkflowConfig& config, std::string run_id,
              process::Guard* guard, std::string transcripts, Callbacks callbacks);

    void start();
    // Returns when the agents that work on tasks of other submitters have finished these. A terminal
    // cancellation ends their commands and hands their tasks back.
    boost::asio::awaitable<void> drain();
    // Ends the agents' commands, and hands their tasks back.
    boost::asio::awaitable<void> stop();

    // From now on, the group has `count` agents. Further ones start; of those that are too many, the idle
    // ones end at once, and the others after their task. `kind` may be empty if there is only one group.
    // Returns what to tell the user. Fails if it is not clear which group is meant.
    base::Result<std::string> scale(const std::string& kind, std::size_t count);

    // By StepId, how many agents fit the tasks of the step, without those that have been told to end.
    std::vector<std::size_t> by_step() const;

    // How many agents rest or pause, but are not parked.
    std::size_t resting() const;
    struct Parked {
        std::size_t agents = 0;
        std::chrono::system_clock::time_point until{};  // the first of them is back
    };
    Parked parked() const;
    // If every agent rests or has ended: the reason, and when the next one tries again. Otherwise empty.
    std::string standstill() const;

  private:
    struct Agent {
        // has_ended: it cannot do any task; has_left: there are fewer agents than before
        enum class State { serves, rests, has_ended, has_left };
        State state = State::serves;
        bool is_leaving = false;  // after its task
        bool is_at_work = false;
        std::string why = {};
        std::chrono::steady_clock::time_point back{};  // rests: the end of the rest
        bool is_its_own = false;                       // the failure is the agent's, not the task's
        // rests: its account has reached a usage limit, until then
        std::optional<std::chrono::system_clock::time_point> parked_until = {};
    };

    base::Result<const agent_driver::AgentGroup*> find_group(const std::string& kind) const;
    void start_agent(std::size_t number);
    void send_away(std::size_t number);
    bool stays(std::size_t number) const;
    boost::asio::awaitable<void> keep(std::size_t number);
    boost::asio::awaitable<void> await_pool(base::Error why);
    agents::AgentOptions options_for(std::size_t number);
    void rests(std::size_t number, const agents::AbsenceNotice& absence);
    void has_ended(std::size_t number, const base::Error& why);
    void report_standstill() const;
    // Whether an agent that has not ended fits the tasks of the step, or of any step.
    bool serves(const config::Step& step) const;
    bool serves_any_step() const;
    // "could execute its command": ends "none of the agents …"
    std::string what_failed() const;
    // To be called after the end of the agent.
    void report_unserved_steps(const NamedAgent& ended, const base::Error& why) const;
    void report_steps_without_agents() const;

    boost::asio::any_io_executor executor_;
    io::DirectoryWatch& watch_;
    const RunPool& pool_;
    const launch::RunOptions& options_;
    const config::WorkflowConfig& config_;
    std::string run_id_;
    std::optional<agents::Transcripts> transcripts_;
    agents::Conversations conversations_;
    Callbacks callbacks_;
    pool_client::AgentSession session_;
    std::vector<NamedAgent> named_;
    std::vector<Agent> states_;  // of the agent at the same index of `named_`
    std::vector<std::unique_ptr<io::TaskGroup>> agents_;
    io::TaskGroup background_;
    bool waits_for_pool_ = false;  // and this was logged
    bool is_draining_ = false;
};

}  // namespace live_run
