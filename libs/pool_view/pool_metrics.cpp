#include "pool_view/pool_metrics.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace pool_view {

using metrics::Exposition;
using pool_protocol::AgentAway;
using pool_protocol::AgentStatus;
using pool_protocol::DurationHistogram;
using pool_protocol::Status;
using pool_protocol::StatusCounts;
using Pools = std::span<const Status>;

namespace {

template<class Duration>
double seconds(Duration duration) {
    return std::chrono::duration<double>(duration).count();
}

struct Outcome {
    std::string_view name;
    std::uint64_t StatusCounts::*count;
};

constexpr std::array outcomes{
    Outcome{"processed", &StatusCounts::processed}, Outcome{"timed_out", &StatusCounts::timed_out},
    Outcome{"stopped", &StatusCounts::stopped},     Outcome{"withdrawn", &StatusCounts::withdrawn},
    Outcome{"failed", &StatusCounts::failed},       Outcome{"invalid", &StatusCounts::invalid}};

void add_counter(Exposition& out, Pools pools, std::string_view name, std::string_view help,
                 std::uint64_t StatusCounts::*count) {
    out.counter(name, help);
    for (const Status& pool : pools)
        out.add({{"pool", pool.pool}}, pool.counts.*count);
}

void add_tasks(Exposition& out, Pools pools) {
    out.counter("troupe_tasks", "Tasks that were answered, and requests that were refused (invalid).");
    for (const Status& pool : pools)
        for (const Outcome& outcome : outcomes)
            out.add({{"pool", pool.pool}, {"outcome", outcome.name}}, pool.counts.*outcome.count);
    add_counter(out, pools, "troupe_tasks_submitted", "Tasks that were accepted.", &StatusCounts::submitted);
    add_counter(out, pools, "troupe_tasks_recovered", "Tasks that agents had when the daemon started.",
                &StatusCounts::recovered);
    add_counter(out, pools, "troupe_tasks_handed_back",
                "Assignments that ended because the agent left or failed, so that the task was queued again.",
                &StatusCounts::handed_back);
}

void add_queue(Exposition& out, Pools pools) {
    out.gauge("troupe_queue_depth", "Tasks that wait for an agent.");
    for (const Status& pool : pools)
        out.add({{"pool", pool.pool}}, pool.queue.length);
    out.gauge("troupe_queue_oldest_age_seconds",
              "For how long the first task of the queue has waited; 0 if the queue is empty.");
    for (const Status& pool : pools)
        out.add({{"pool", pool.pool}}, pool.queue.head ? seconds(pool.time - pool.queue.head->since) : 0.0);
    out.gauge("troupe_queue_unmatched",
              "Tasks whose labels no agent has had for 30 seconds, or not all of them.");
    for (const Status& pool : pools) {
        std::uint64_t tasks = 0;
        for (const auto& unmatched : pool.queue.unmatched)
            tasks += unmatched.length;
        out.add({{"pool", pool.pool}}, tasks);
    }
}

void add_histogram(Exposition& out, Pools pools, std::string_view name, std::string_view help,
                   DurationHistogram Status::*histogram) {
    static const auto bounds = [] {
        std::array<double, DurationHistogram::bounds.size()> all{};
        std::ranges::transform(DurationHistogram::bounds, all.begin(), seconds<DurationHistogram::Duration>);
        return all;
    }();
    out.histogram(name, help);
    for (const Status& pool : pools) {
        const DurationHistogram& measured = pool.*histogram;
        out.add({{"pool", pool.pool}},
                metrics::Buckets{bounds, measured.counts, measured.count, seconds(measured.sum)});
    }
}

void add_agents(Exposition& out, Pools pools) {
    out.gauge("troupe_agents", "Agents by state; those that rest or are parked are not attached.");
    for (const Status& pool : pools) {
        for (auto state : {AgentStatus::State::idle, AgentStatus::State::busy, AgentStatus::State::heartbeat,
                           AgentStatus::State::ending})
            out.add({{"pool", pool.pool}, {"state", state_name(state)}},
                    std::uint64_t{pool.agents_in(state)});
        auto parked = static_cast<std::uint64_t>(
            std::ranges::count_if(pool.away, [](const AgentAway& away) { return !away.account.empty(); }));
        out.add({{"pool", pool.pool}, {"state", "parked"}}, parked);
        out.add({{"pool", pool.pool}, {"state", "resting"}}, pool.away.size() - parked);
    }
    out.gauge("troupe_agents_parked", "Agents whose account is parked, by account.");
    for (const Status& pool : pools) {
        std::map<std::string_view, std::uint64_t> accounts;
        for (const AgentAway& away : pool.away)
            if (!away.account.empty()) ++accounts[away.account];
        for (const auto& [account, agents] : accounts)
            out.add({{"pool", pool.pool}, {"account", account}}, agents);
    }
    add_counter(out, pools, "troupe_agents_kicked", "Agents that did not respond in time.",
                &StatusCounts::kicked);
    add_counter(out, pools, "troupe_agents_died", "Agents that died while they worked.", &StatusCounts::died);
}

struct EngineCounter {
    std::string_view name;
    std::string_view help;
    std::uint64_t pool_protocol::EngineCounts::*count;
};

constexpr std::array engine_counters{
    EngineCounter{"troupe_engine_claims", "Tasks that this host has got from the engine.",
                  &pool_protocol::EngineCounts::claimed},
    EngineCounter{"troupe_engine_surplus_deliveries", "Deliveries for which no agent was idle any more.",
                  &pool_protocol::EngineCounts::surplus},
    EngineCounter{"troupe_engine_redeliveries", "Deliveries of tasks that another host had claimed.",
                  &pool_protocol::EngineCounts::redelivered},
    EngineCounter{"troupe_engine_releases", "Tasks that were handed back to the engine.",
                  &pool_protocol::EngineCounts::released},
    EngineCounter{"troupe_engine_owners_lost", "Tasks whose host this one has found to be lost.",
                  &pool_protocol::EngineCounts::owners_lost},
    EngineCounter{"troupe_engine_leases_lost", "Tasks that were taken from agents of this host.",
                  &pool_protocol::EngineCounts::leases_lost},
    EngineCounter{"troupe_engine_late_answers", "Answers that came too late, and were refused.",
                  &pool_protocol::EngineCounts::late_answers},
    EngineCounter{"troupe_engine_publications", "Publications of tasks of this host's submitters.",
                  &pool_protocol::EngineCounts::published},
    EngineCounter{"troupe_engine_republications",
                  "Of these, tasks that the engine had lost or did not deliver.",
                  &pool_protocol::EngineCounts::published_again}};

// Adds the metrics that only pools over many hosts have.
void add_engine(Exposition& out, Pools all) {
    std::vector<const Status*> pools;
    for (const Status& pool : all)
        if (pool.engine) pools.push_back(&pool);
    if (pools.empty()) return;
    auto add_gauge = [&](std::string_view name, std::string_view help, auto value) {
        out.gauge(name, help);
        for (const Status* pool : pools)
            out.add({{"pool", pool->pool}}, std::uint64_t{value(*pool->engine)});
    };
    using pool_protocol::EngineStatus;
    add_gauge("troupe_engine_connected", "1 while this host is connected with the engine, otherwise 0.",
              [](const EngineStatus& engine) { return std::uint64_t{engine.is_connected}; });
    out.gauge(
        "troupe_engine_lag_seconds",
        "How long the engine took for the last request that was measured, while this host is connected.");
    for (const Status* pool : pools)
        if (pool->engine->lag) out.add({{"pool", pool->pool}}, seconds(*pool->engine->lag));
    add_gauge("troupe_engine_leases", "Tasks of the engine that this host has.",
              [](const EngineStatus& engine) { return engine.leases; });
    add_gauge("troupe_engine_submissions", "Tasks for whose answers submitters of this host wait.",
              [](const EngineStatus& engine) { return engine.submissions; });
    for (const EngineCounter& counter : engine_counters) {
        out.counter(counter.name, counter.help);
        for (const Status* pool : pools)
            out.add({{"pool", pool->pool}}, pool->engine->counts.*counter.count);
    }
}

void add_daemon(Exposition& out, Pools pools) {
    out.gauge("troupe_draining", "1 while the daemon only waits for its agents to finish, otherwise 0.");
    for (const Status& pool : pools)
        out.add({{"pool", pool.pool}}, std::uint64_t{pool.draining});
    out.gauge("troupe_start_time_seconds", "When the daemon started, as Unix time.");
    for (const Status& pool : pools)
        out.add({{"pool", pool.pool}}, seconds(pool.started));
}

}  // namespace

void add_pool_metrics(Exposition& out, Pools pools) {
    add_tasks(out, pools);
    add_queue(out, pools);
    add_histogram(out, pools, "troupe_queue_wait_seconds",
                  "From the submission, or from being handed back, until an agent gets the task.",
                  &Status::queue_wait);
    add_histogram(out, pools, "troupe_task_duration_seconds",
                  "From then until the agent's response, of processed tasks.", &Status::task_duration);
    add_agents(out, pools);
    add_daemon(out, pools);
    add_engine(out, pools);
}

}  // namespace pool_view
