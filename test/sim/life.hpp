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
    std::vector<workflow::Entry> entries;     // the lines after the header
    std::vector<std::size_t> ends;            // of those, in bytes
    std::vector<std::uint64_t> fingerprints;  // of those that are completions; 0 for the others
    std::size_t born = 0;                     // how many entries were written with the header

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
    // Goes on with a log of which all counts, and the state that it leads to.
    Life(const Workload& workload, std::uint64_t order, workflow::State state, Log log);

    bool over() const { return state_.over(); }
    // Another entry at least, unless it is over.
    void step();
    void play();

    const Log& log() const { return log_; }

  private:
    void start_ready();
    void end_one();
    void commit(const workflow::Group& group, std::uint64_t fingerprint = 0);

    const Workload& workload_;
    Draw draw_;
    std::uint32_t slots_;
    workflow::State state_;
    Log log_;
    std::vector<workflow::TaskId> running_;
    std::vector<workflow::TaskId> delayed_;
};

}  // namespace sim
