#include "run_agents.hpp"

#include "base/text.hpp"
#include "io/log.hpp"
#include "pool_client/new_id.hpp"
#include "pool_client/pool_wait.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <utility>

namespace barnum {

namespace asio = boost::asio;
namespace log = io::log;
using Clock = std::chrono::steady_clock;

namespace {

// Between an agent's loss of the pool and its next try.
constexpr std::chrono::milliseconds pause_without_pool{200};
constexpr std::chrono::seconds pool_look{1};

std::string agent_name(std::size_t number) {
    return base::concat("agent-", number + 1);
}

std::string first_line(const std::string& text) {
    return text.substr(0, text.find('\n'));
}

}  // namespace

RunAgents::RunAgents(asio::any_io_executor executor, io::DirectoryWatch& watch,
                     pool_protocol::PoolDirectory directory, const RunOptions& options, std::string run_id,
                     process::Guard* guard, Callbacks callbacks)
    : executor_(executor),
      watch_(watch),
      directory_(std::move(directory)),
      options_(options),
      run_id_(std::move(run_id)),
      callbacks_(std::move(callbacks)),
      session_(executor, directory_, pool_client::new_id(),
               {[guard](int socket) {
                    if (guard != nullptr) guard->hold(socket);
                },
                {}}),
      states_(options.agents),
      background_(executor, io::log_exception) {}

void RunAgents::start() {
    if (states_.empty()) return;
    background_.spawn("session of the agents", session_.keep());
    for (std::size_t number = 0; number < states_.size(); ++number) {
        agents_.push_back(std::make_unique<io::TaskGroup>(executor_, io::log_exception));
        agents_.back()->spawn(agent_name(number), keep(number));
    }
}

asio::awaitable<void> RunAgents::drain() {
    is_draining_ = true;
    auto at_work = std::ranges::count_if(states_, [](const Agent& agent) { return agent.is_at_work; });
    if (at_work > 0)
        log::info("waiting for ", base::counted(static_cast<std::size_t>(at_work), "agent"),
                  " with tasks of others; Ctrl-C hands the tasks back");
    for (std::size_t number = 0; number < agents_.size(); ++number)
        if (!states_[number].is_at_work) agents_[number]->cancel();
    for (const auto& agent : agents_)
        co_await agent->join_or_cancel();
}

asio::awaitable<void> RunAgents::stop() {
    for (const auto& agent : agents_)
        agent->cancel();
    for (const auto& agent : agents_)
        co_await agent->join();
    co_await session_.close();
    background_.cancel();
    co_await background_.join();
}

pool_client::AgentOptions RunAgents::options_for(std::size_t number) {
    pool_client::AgentOptions agent;
    agent.name = agent_name(number);
    agent.command = options_.agent_exec;
    agent.directory = options_.directory;
    agent.environment = {{"BARNUM_RUN_ID", run_id_}};
    agent.session = &session_;
    agent.is_supervised = true;
    agent.is_draining = [this] { return is_draining_; };
    agent.on_task = [=, this](bool is_at_work) { states_[number].is_at_work = is_at_work; };
    agent.pool_reports_here = callbacks_.hosts_pool;
    agent.on_rest = [=, this](const std::string& why, std::chrono::milliseconds time, bool is_its_own) {
        rests(number, why, time, is_its_own);
    };
    agent.on_return = [=, this] { states_[number].state = Agent::State::serves; };
    return agent;
}

asio::awaitable<void> RunAgents::keep(std::size_t number) {
    while (true) {
        pool_client::AgentOptions options = options_for(number);
        base::Error ended = co_await pool_client::run_agent(watch_, directory_, std::move(options));
        if (ended.code == pool_client::command_unusable) {
            has_ended(number, ended);
            co_return;
        }
        if (is_draining_) co_return;
        co_await await_pool(std::move(ended));
    }
}

// One line for all agents when they begin to wait, and one when they serve a pool again, be it another's.
asio::awaitable<void> RunAgents::await_pool(base::Error why) {
    if (!std::exchange(waits_for_pool_, true)) log::warn("the run's agents wait for the pool: ", why.message);
    asio::steady_timer pause(executor_);
    while (true) {
        pause.expires_after(pause_without_pool);
        co_await pause.async_wait(asio::use_awaitable);
        auto pool = co_await pool_client::wait_for_pool(directory_, pool_look);
        if (pool.has_value()) break;
    }
    if (std::exchange(waits_for_pool_, false))
        log::info("the run's agents serve the pool at ", directory_.path, " now");
}

void RunAgents::rests(std::size_t number, const std::string& why, std::chrono::milliseconds time,
                      bool is_its_own) {
    states_[number] = {Agent::State::rests, false, why, Clock::now() + time, is_its_own};
    if (is_its_own) report_standstill();
}

// All of them run the same command: what the first says of it is true of the others.
void RunAgents::has_ended(std::size_t number, const base::Error& why) {
    auto ended = [](const Agent& agent) { return agent.state == Agent::State::has_ended; };
    if (std::ranges::none_of(states_, ended)) log::error(agent_name(number), ": ", why.message);
    states_[number] = {Agent::State::has_ended, false, why.message, {}, true};
    if (options_.has_own_pool() && std::ranges::all_of(states_, ended))
        callbacks_.on_all_ended("none of its agents could execute its command");
    else
        report_standstill();
}

std::size_t RunAgents::resting() const {
    return static_cast<std::size_t>(std::ranges::count_if(
        states_, [](const Agent& agent) { return agent.state == Agent::State::rests; }));
}

std::string RunAgents::standstill() const {
    auto stands_still = [](const Agent& agent) {
        return agent.state != Agent::State::serves && agent.is_its_own;
    };
    if (states_.empty() || !std::ranges::all_of(states_, stands_still)) return "";
    const Agent* first = nullptr;  // to be back
    for (const Agent& agent : states_)
        if (agent.state == Agent::State::rests && (first == nullptr || agent.back < first->back))
            first = &agent;
    if (first == nullptr)
        return "none of this run's agents could execute its command; its tasks wait for others' agents";
    auto left = std::max(first->back - Clock::now(), Clock::duration::zero());
    return base::concat("every agent of this run rests or has ended; the next tries again in ",
                        std::chrono::ceil<std::chrono::seconds>(left).count(),
                        " s: ", first_line(first->why));
}

void RunAgents::report_standstill() const {
    if (std::string text = standstill(); !text.empty()) log::warn(text);
}

}  // namespace barnum
