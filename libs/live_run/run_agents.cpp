#include "live_run/run_agents.hpp"

#include "base/text.hpp"
#include "base/text_parts.hpp"
#include "config/pool_step.hpp"
#include "io/internal_error.hpp"
#include "io/log.hpp"
#include "pool_client/new_id.hpp"
#include "pool_client/pool_wait.hpp"
#include "runner/run_mark.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <utility>

namespace live_run {

namespace asio = boost::asio;
namespace log = io::log;
using Clock = std::chrono::steady_clock;

namespace {

// Between an agent's loss of the pool and its next try.
constexpr std::chrono::milliseconds pause_without_pool{200};
constexpr std::chrono::seconds pool_look{1};

std::string labels_text(const base::Labels& labels) {
    return labels.empty() ? "" : base::concat(", which requires ", labels.description());
}

std::string_view what_follows(const launch::RunOptions& options) {
    if (!options.has_own_pool()) return ": its tasks wait for others' agents";
    return options.fail_fast ? ": the run ends when it comes to one of its tasks"
                             : ": its tasks wait until the run is ended, and resumed with other agents";
}

}  // namespace

RunAgents::RunAgents(asio::any_io_executor executor, io::DirectoryWatch& watch, const RunPool& pool,
                     const launch::RunOptions& options, const config::WorkflowConfig& config,
                     std::string run_id, process::Guard* guard, std::string transcripts, Callbacks callbacks)
    : executor_(executor),
      watch_(watch),
      pool_(pool),
      options_(options),
      config_(config),
      run_id_(std::move(run_id)),
      callbacks_(std::move(callbacks)),
      session_(executor, pool_.directory(), pool_client::new_id(),
               {[guard](int socket) {
                    if (guard != nullptr) guard->hold(socket);
                },
                {}}),
      named_(agents_of(options.agents)),
      states_(named_.size()),
      background_(executor, io::end_process) {
    if (!transcripts.empty())
        transcripts_.emplace(std::move(transcripts), agents::Transcripts::Retention::unlimited);
}

void RunAgents::start() {
    if (states_.empty()) return;
    if (options_.has_own_pool()) report_steps_without_agents();
    background_.spawn("session of the agents", session_.keep());
    for (std::size_t number = 0; number < states_.size(); ++number)
        start_agent(number);
}

void RunAgents::start_agent(std::size_t number) {
    agents_.push_back(std::make_unique<io::TaskGroup>(executor_, io::end_process));
    agents_.back()->spawn(named_[number].name, keep(number));
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

agents::AgentOptions RunAgents::options_for(std::size_t number) {
    agents::AgentOptions agent;
    agent.name = named_[number].name;
    agent.group = *named_[number].group;
    agent.environment = runner::run_mark(run_id_);
    // Its tasks are commands, which have that of their own run.
    if (agent.group.settings.kind != agent_driver::AgentKind::shell)
        agent.environment.emplace_back("BARNUM_RUN_ID", run_id_);
    agent.session = &session_;
    if (transcripts_) agent.transcripts = &*transcripts_;
    agent.conversations = &conversations_;
    agent.redacts = options_.redacts;
    agent.is_supervised = true;
    agent.is_draining = [=, this] { return is_draining_ || states_[number].is_leaving; };
    agent.on_task = [=, this](bool is_at_work) { states_[number].is_at_work = is_at_work; };
    agent.pool_reports_here = [this] { return pool_.is_hosted(); };
    agent.on_absence = [=, this](const agents::AbsenceNotice& absence) { rests(number, absence); };
    agent.on_return = [=, this] { states_[number].state = Agent::State::serves; };
    return agent;
}

asio::awaitable<void> RunAgents::keep(std::size_t number) {
    while (true) {
        agents::AgentOptions options = options_for(number);
        base::Error ended = co_await agents::run_agent(watch_, pool_.directory(), std::move(options));
        if (ended.code == agents::agent_unusable) {
            has_ended(number, ended);
            co_return;
        }
        if (is_draining_) co_return;
        if (states_[number].is_leaving) {
            states_[number] = {Agent::State::has_left};
            co_return;
        }
        co_await await_pool(std::move(ended));
    }
}

// Logs one line for all agents when they begin to wait, and one when they serve a pool again, be it
// another's.
asio::awaitable<void> RunAgents::await_pool(base::Error why) {
    if (!std::exchange(waits_for_pool_, true)) log::warn("the run's agents wait for the pool: ", why.message);
    asio::steady_timer pause(executor_);
    while (true) {
        pause.expires_after(pause_without_pool);
        co_await pause.async_wait(asio::use_awaitable);
        auto pool = co_await pool_client::wait_for_pool(pool_.directory(), pool_look);
        if (pool.has_value()) break;
    }
    if (std::exchange(waits_for_pool_, false))
        log::info("the run's agents serve the pool at ", pool_.directory().path, " now");
}

void RunAgents::rests(std::size_t number, const agents::AbsenceNotice& absence) {
    Agent agent{Agent::State::rests, states_[number].is_leaving,  false,
                absence.why,         Clock::now() + absence.time, absence.is_its_own};
    if (!absence.account.empty()) agent.parked_until = std::chrono::system_clock::now() + absence.time;
    states_[number] = std::move(agent);
    if (absence.is_its_own) report_standstill();
}

// The agents of a group run the same command: what the first says of it is true of the others.
void RunAgents::has_ended(std::size_t number, const base::Error& why) {
    auto ended = [](const Agent& agent) { return agent.state == Agent::State::has_ended; };
    const auto& [name, group] = named_[number];
    bool is_first = true;
    for (std::size_t other = 0; other < states_.size(); ++other)
        if (named_[other].group == group && ended(states_[other])) is_first = false;
    if (is_first) log::error(name, ": ", why.message);
    states_[number] = {Agent::State::has_ended, false, false, why.message, {}, true};
    bool have_all = std::ranges::all_of(
        states_, [&](const Agent& agent) { return ended(agent) || agent.state == Agent::State::has_left; });
    if (!have_all) report_unserved_steps(named_[number], why);
    if (options_.has_own_pool() && !serves_any_step())
        callbacks_.on_all_ended(have_all ? "none of its agents " + what_failed()
                                         : "no agent is left that could take one of its tasks");
    else
        report_standstill();
}

std::string RunAgents::what_failed() const {
    bool only_commands = std::ranges::all_of(named_, [](const NamedAgent& agent) {
        return !agent_driver::has_driver(agent.group->settings.kind);
    });
    return only_commands ? "could execute its command" : "could do a task";
}

// The pool reports it as well, but only when a task has waited for a while.
void RunAgents::report_unserved_steps(const NamedAgent& ended, const base::Error& why) const {
    for (std::uint32_t i = 0; i < config_.steps.size(); ++i) {
        const config::Step& step = config_.steps[i];
        const base::Labels* labels = config::labels_of(step);
        if (labels == nullptr || !offered_labels(*ended.group).fit(*labels) || serves(step)) continue;
        std::string message = base::concat("no agent of this run is left for the Pool step ", step.name);
        log::error(message, what_follows(options_));
        if (options_.has_own_pool())
            callbacks_.on_unserved({i},
                                   base::concat(message, labels_text(*labels), "; the last one, ", ended.name,
                                                ", has ended: ", base::first_line(why.message)));
    }
}

// What a task waits for; warn_of_labels() has told the user before the start.
void RunAgents::report_steps_without_agents() const {
    for (std::uint32_t i = 0; i < config_.steps.size(); ++i) {
        const config::Step& step = config_.steps[i];
        if (step.is_pool() && !serves(step))
            callbacks_.on_unserved({i}, base::concat("no agent of this run ", config::needed_of_agents(step),
                                                     ", which the Pool step ", step.name, " requires"));
    }
}

bool RunAgents::serves(const config::Step& step) const {
    const base::Labels* labels = config::labels_of(step);
    if (labels == nullptr) return false;
    for (std::size_t number = 0; number < states_.size(); ++number)
        if (states_[number].state != Agent::State::has_ended && stays(number) &&
            offered_labels(*named_[number].group).fit(*labels))
            return true;
    return false;
}

bool RunAgents::serves_any_step() const {
    return std::ranges::any_of(config_.steps, [this](const config::Step& step) { return serves(step); });
}

std::size_t RunAgents::resting() const {
    return static_cast<std::size_t>(std::ranges::count_if(states_, [](const Agent& agent) {
        return agent.state == Agent::State::rests && !agent.parked_until;
    }));
}

RunAgents::Parked RunAgents::parked() const {
    Parked parked;
    for (const Agent& agent : states_) {
        if (agent.state != Agent::State::rests || !agent.parked_until) continue;
        if (parked.agents++ == 0 || *agent.parked_until < parked.until) parked.until = *agent.parked_until;
    }
    return parked;
}

std::string RunAgents::standstill() const {
    auto stands_still = [](const Agent& agent) {
        return agent.state == Agent::State::has_left ||
               (agent.state != Agent::State::serves && agent.is_its_own);
    };
    auto has_left = [](const Agent& agent) { return agent.state == Agent::State::has_left; };
    if (std::ranges::all_of(states_, has_left) || !std::ranges::all_of(states_, stands_still)) return "";
    const Agent* first = nullptr;  // to be back
    for (const Agent& agent : states_)
        if (agent.state == Agent::State::rests && (first == nullptr || agent.back < first->back))
            first = &agent;
    if (first == nullptr)
        return base::concat("none of this run's agents ", what_failed(),
                            "; its tasks wait for others' agents");
    auto left = std::max(first->back - Clock::now(), Clock::duration::zero());
    return base::concat("every agent of this run rests or has ended; the next tries again in ",
                        std::chrono::ceil<std::chrono::seconds>(left).count(),
                        " s: ", base::first_line(first->why));
}

void RunAgents::report_standstill() const {
    if (std::string text = standstill(); !text.empty()) log::warn(text);
}

}  // namespace live_run
