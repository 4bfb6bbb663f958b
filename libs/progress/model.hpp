// The progress of a run for its observers: how many tasks of each step are in which state, at what rate they
// finish, and which run longest. A value that is told of events and their times. Each call takes constant
// time, whatever the size of the run. Does not check the events.
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

// The phase of a running task. `pool`: submitted to the pool, with an agent or queued. `human`: it waits for
// a person.
enum class TaskPhase { started, pre, command, pool, post, finally, human };
std::string_view name_of(TaskPhase phase);

// A row of the tables: a step, or the `finally` of one.
struct Step {
    std::string name;  // "Analyze", "Analyze (finally)"; printable
    bool is_finally = false;
    std::vector<std::size_t> next;  // indices of the steps whose tasks may follow; for a `finally`, all steps
    bool is_pool = false;           // its action is done by an agent
    bool is_human = false;          // by a person
    std::string of_step = {};       // the name of the step as the config has it
};

struct Counts {
    std::uint64_t over() const { return done + dropped; }
    std::uint64_t open() const { return waiting + running; }
    std::uint64_t known() const { return over() + open(); }

    std::uint64_t waiting = 0;  // including retries that wait for their delay
    std::uint64_t running = 0;
    std::uint64_t done = 0;
    std::uint64_t retried = 0;  // attempts after the first
    std::uint64_t dropped = 0;
    std::uint64_t at_pool = 0;  // part of `running`: with an agent, or queued for one
    std::uint64_t asked = 0;    // part of `running`: wait for a person
};

struct RunningTask {
    std::uint64_t id = 0;
    std::size_t step = 0;
    std::uint32_t attempt = 1;
    TaskPhase phase = TaskPhase::started;
    Time since{};
    std::string activity = {};  // of its agent, printable: "claude-1: Edit libs/a.cpp"; empty if unknown
};

class Model {
  public:
    // `counts`, by step, are the counts at the start of the run; after a resume, they include what was done
    // before.
    Model(std::vector<Step> steps, std::vector<Counts> counts, Time now);

    void submitted(std::size_t step);  // a new task, not a retry
    void started(std::uint64_t id, std::size_t step, std::uint32_t attempt, Time now);
    void entered(std::uint64_t id, TaskPhase phase);
    // What the agent does that has the started task; empty: none does anything that it tells.
    void activity(std::uint64_t id, std::string text);
    // The end of a started task's attempt.
    void done(std::uint64_t id, Time now);
    void put_back(std::uint64_t id);  // it was not made; the task waits again
    void retried(std::uint64_t id);   // the task waits again, under another id
    void dropped(std::uint64_t id, Time now);
    void reused(std::size_t step);  // a waiting task is done, without an attempt
    // A waiting task is dropped without an attempt, or one that waits for a person.
    void not_started(std::uint64_t id, std::size_t step);
    // The user has paused the run, or it continues.
    void paused(bool is_paused) { is_paused_ = is_paused; }
    // The run has ended: running tasks were cancelled and count as waiting, and the elapsed time stops. Tasks
    // that wait for a person still do.
    void ended(Time now);

    bool is_paused() const { return is_paused_; }
    const std::vector<Step>& steps() const { return steps_; }
    const Counts& counts(std::size_t step) const { return counts_[step]; }
    const Counts& total() const { return total_; }
    Duration elapsed(Time now) const { return ended_.value_or(now) - begun_; }

    // Tasks per second that were done or dropped recently.
    std::optional<double> rate(std::size_t step, Time now) const { return rates_[step].per_second(now); }
    std::optional<double> total_rate(Time now) const { return total_rate_.per_second(now); }

    // For each step, the time until its tasks have finished, at the current rate. It is known only if the
    // rate is, and if no open task can lead to further tasks of the step. A `finally` is counted when it is
    // submitted.
    std::vector<std::optional<std::chrono::seconds>> etas(Time now) const;

    // At most `most` tasks, the longest-running first, without those that wait for a person.
    std::vector<RunningTask> longest_running(std::size_t most) const;
    // At most `most` of those that wait for a person, in the order in which they began to.
    std::vector<RunningTask> longest_asked(std::size_t most) const;

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
    std::list<RunningTask> asked_;    // those that wait for a person
    std::unordered_map<std::uint64_t, std::list<RunningTask>::iterator> by_id_;
    Time begun_;
    std::optional<Time> ended_;
    bool is_paused_ = false;
};

}  // namespace progress
