// A random workflow and what its tasks do: how an attempt ends follows from the seed, the task's place in the
// tree and the number of the attempt, never from ids or from the order in which things happen. So however
// often its run is broken off, the same must come of it.
#pragma once

#include "statelog/replay.hpp"
#include "workflow/machine.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace sim {

struct Shape {
    std::uint32_t tasks = 30;  // without finallys, at most
    bool rich = false;         // big values and long messages, all of Unicode, wide fan-outs
};

class Workload {
  public:
    Workload(std::uint32_t seed, Shape shape);

    const config::WorkflowConfig& config() const { return *begun_.config(); }
    // A log's first line.
    const std::string& header() const { return header_; }
    // That has read the first line only.
    const statelog::Replay& begun() const { return begun_; }

    std::vector<config::NewTask> first_tasks() const;
    workflow::AttemptResult outcome(const workflow::Task& task) const;
    // Whether a person has to do it.
    bool is_asked(const workflow::Task& task) const;

  private:
    config::NewTask new_task(std::uint64_t drawn, std::uint32_t tasks, const std::string& path) const;
    std::vector<config::NewTask> new_tasks(std::uint64_t drawn, std::uint32_t least, std::uint32_t tasks,
                                           const std::string& path) const;
    workflow::Failure failure(std::uint64_t drawn, const workflow::Task& task) const;
    std::string payload(std::uint64_t drawn) const;

    std::uint64_t seed_;
    Shape shape_;
    std::uint32_t one_fails_in_ = 4;
    statelog::Replay begun_;
    std::string header_;
};

// What was done: the logical task, the attempt, and what came of it, as a number.
std::uint64_t fingerprint(const workflow::Task& task, const workflow::AttemptResult& result);

}  // namespace sim
