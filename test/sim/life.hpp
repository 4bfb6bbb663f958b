// A run from its beginning, or from a resume, to its end or to where it is broken off; its log is a string.
#pragma once

#include "draw.hpp"
#include "workload.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace sim {

// A log, and what was meant by it.
struct Log {
    std::string text;
    std::vector<workflow::Entry> entries;             // the lines after the header
    std::vector<std::size_t> ends;                    // of those, in bytes
    std::vector<std::uint64_t> fingerprints;          // of those that are completions; 0 for the others
    std::size_t born = 0;                             // how many entries were written with the header
    std::vector<workflow::TaskId> acknowledged = {};  // answered while no run lived

    std::size_t initial_bytes() const { return ends[born - 1]; }
    // Without what comes after the first `count` entries.
    Log first(std::size_t count) const;
    // What was done, sorted.
    std::vector<std::uint64_t> done() const;
};

class Life {
  public:
    // `order` decides in what order things happen, and nothing else.
    Life(const Workload& workload, std::uint64_t order);
    // Goes on with a log of which all counts, and the state that it leads to. Some of the tasks that wait for
    // a person were answered before: their answers, which were acknowledged, are in the new log from the
    // start.
    Life(const Workload& workload, std::uint64_t order, workflow::State state, Log log);

    bool over() const { return state_.over(); }
    // Another entry at least, unless it is over.
    void step();
    void play();

    const Log& log() const { return log_; }
    // What a resumed run's log has from the start.
    std::size_t first_bytes() const { return first_bytes_; }

  private:
    void start_ready();
    void end_one();
    void take_answers();
    workflow::TaskId next_to_end();
    workflow::Group decide_end(workflow::TaskId id, workflow::AttemptResult result) const;
    void commit(const workflow::Group& group, std::uint64_t fingerprint = 0);

    const Workload& workload_;
    Draw draw_;
    std::uint32_t slots_;
    workflow::State state_;
    Log log_;
    std::vector<workflow::TaskId> running_;
    std::vector<workflow::TaskId> delayed_;
    std::size_t first_bytes_ = 0;
};

}  // namespace sim
