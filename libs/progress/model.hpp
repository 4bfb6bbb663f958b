// Where a run stands, for people who watch it: how many tasks of each step are where, how fast they go, which
// run for longest. A value that is told what happens, and when; each call takes the same time however large
// the run is. Knows no state machine: what it is told has happened.
#pragma once

#include "progress/rate.hpp"

#include <cstddef>
#include <cstdint>
#include <list>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace progress {

// What a running task is at. `pool`: submitted, with an agent or not yet.
enum class TaskPhase { started, pre, command, pool, post, finally };
std::string_view name_of(TaskPhase phase);

// What has a row of its own in tables: a step, or the finally of one.
struct Step {
    std::string name;  // "Analyze", "Analyze (finally)"; printable
    bool is_finally = false;
    std::vector<std::size_t> next;  // those whose tasks it may emit, by index; of a finally: all steps
    bool is_pool = false;           // its action is an agent's
};

struct Counts {
    std::uint64_t over() const { return done + dropped; }
    std::uint64_t open() const { return waiting + running; }
    std::uint64_t known() const { return over() + open(); }

    std::uint64_t waiting = 0;  // retries that have to wait among them
    std::uint64_t running = 0;
    std::uint64_t done = 0;
    std::uint64_t retried = 0;  // attempts beyond the first
    std::uint64_t dropped = 0;
    std::uint64_t at_pool = 0;  // of those running: with an agent, or waiting for one
};

struct RunningTask {
    std::uint64_t id = 0;
    std::size_t step = 0;
    std::uint32_t attempt = 1;
    TaskPhase phase = TaskPhase::started;
    Time since{};
};

class Model {
  public:
    // `counts`, by step, are those that the run begins with: after a resume, what was done before.
    Model(std::vector<Step> steps, std::vector<Counts> counts, Time now);

    void submitted(std::size_t step);  // a new task; a retry is none
    void started(std::uint64_t id, std::size_t step, std::uint32_t attempt, Time now);
    void entered(std::uint64_t id, TaskPhase phase);
    // How the attempt of a started task has ended.
    void done(std::uint64_t id, Time now);
    void retried(std::uint64_t id);  // a task waits again, under another id
    void dropped(std::uint64_t id, Time now);
    // The run is over: what runs was broken off and waits again, and the clock stands still.
    void ended(Time now);

    const std::vector<Step>& steps() const { return steps_; }
    const Counts& counts(std::size_t step) const { return counts_[step]; }
    const Counts& total() const { return total_; }
    Duration elapsed(Time now) const { return ended_.value_or(now) - begun_; }

    // Tasks a second that were done or dropped of late.
    std::optional<double> rate(std::size_t step, Time now) const { return rates_[step].per_second(now); }
    std::optional<double> total_rate(Time now) const { return total_rate_.per_second(now); }

    // When the step's tasks will be over, if it goes on like that: by step, and only where that can be told,
    // because a rate is known and no task that is open now can lead to further ones of the step. A finally
    // counts from when it is submitted.
    std::vector<std::optional<std::chrono::seconds>> etas(Time now) const;

    // At most so many, the longest first.
    std::vector<RunningTask> longest_running(std::size_t most) const;

  private:
    RunningTask take(std::uint64_t id);
    void over(const RunningTask& task, Time now);
    std::vector<bool> may_grow() const;

    std::vector<Step> steps_;
    std::vector<Counts> counts_;
    std::vector<Rate> rates_;
    Counts total_;
    Rate total_rate_;
    std::list<RunningTask> running_;  // in the order of their starts
    std::unordered_map<std::uint64_t, std::list<RunningTask>::iterator> by_id_;
    Time begun_;
    std::optional<Time> ended_;
};

}  // namespace progress
