// What labels cost the pool's machine: the time of one task with 10,000 agents that have 50 different sets of
// labels, beside the same without labels:
//
//   labels [--rounds N]
//
// A line of JSON for each of two loads, and for each round. `agents`: all agents are idle, tasks come one by
// one. `tasks`: 10,000 tasks are queued, and all agents are busy. A task is submitted, assigned and done, and
// its agent comes again. Build it for Release.
#include "arguments.hpp"
#include "pool/machine.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;
using Microseconds = std::chrono::duration<double, std::micro>;

constexpr std::size_t agent_count = 10'000;
constexpr std::size_t set_count = 50;
constexpr std::size_t tasks_of_a_turn = 5'000;
const pool::Time now{};

enum class Load { agents, tasks };

std::vector<base::Labels> label_sets(bool with_labels) {
    std::vector<base::Labels> sets;
    for (std::size_t i = 0; i < set_count; ++i)
        sets.push_back(with_labels ? *base::Labels::of({"kind-" + std::to_string(i), "linux"})
                                   : base::Labels());
    return sets;
}

class Pool {
  public:
    Pool(bool with_labels, Load load) : sets_(label_sets(with_labels)) {
        for (std::size_t i = 0; i < agent_count; ++i)
            attach("agent-" + std::to_string(i), sets_[i % set_count]);
        for (std::size_t i = 0; load == Load::tasks && i < 2 * agent_count; ++i)
            submit();
    }

    double microseconds_per_task() {
        auto began = Clock::now();
        for (std::size_t i = 0; i < tasks_of_a_turn; ++i) {
            submit();
            finish_one();
        }
        return Microseconds(Clock::now() - began).count() / tasks_of_a_turn;
    }

  private:
    void feed(const pool::Event& event) {
        for (const pool::Action& action : pool::apply(state_, event, now))
            if (const auto* assigned = std::get_if<pool::Assign>(&action)) busy_.push_back(assigned->agent);
    }
    void attach(const pool::AgentId& id, const base::Labels& labels) {
        feed(pool::AgentReady{id, false, labels});
    }
    void submit() {
        feed(pool::Submitted{"task-" + std::to_string(++tasks_), std::nullopt, false,
                             sets_[tasks_ % set_count]});
    }
    // The agent that has been busy longest; it comes again with the labels that it had.
    void finish_one() {
        if (first_busy_ == busy_.size()) {
            std::fputs("labels: a task was not assigned\n", stderr);
            std::exit(1);
        }
        pool::AgentId id = busy_[first_busy_++];
        base::Labels labels = state_.agents.at(id).labels;
        feed(pool::AgentResponded{id});
        attach(id, labels);
    }

    std::vector<base::Labels> sets_;
    pool::State state_;
    std::vector<pool::AgentId> busy_;
    std::size_t first_busy_ = 0;
    std::size_t tasks_ = 0;
};

// In turns, of which the quickest counts: the one that no neighbour on the machine has slowed down.
void compare(std::string_view name, Load load) {
    Pool with(true, load);
    Pool without(false, load);
    double with_time = std::numeric_limits<double>::infinity(), without_time = with_time;
    for (int turn = 0; turn < 10; ++turn) {
        with_time = std::min(with_time, with.microseconds_per_task());
        without_time = std::min(without_time, without.microseconds_per_task());
    }
    std::printf(R"({"load":"%.*s","with_us":%.2f,"without_us":%.2f,"ratio":%.3f})"
                "\n",
                static_cast<int>(name.size()), name.data(), with_time, without_time,
                with_time / without_time);
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
    std::size_t rounds = bench::rounds(argc, argv, "usage: labels [--rounds N]\n");
    for (std::size_t round = 0; round < rounds; ++round) {
        compare("agents", Load::agents);
        compare("tasks", Load::tasks);
    }
}
