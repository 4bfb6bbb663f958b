// Which attempts in a trace belong to the same task, for tasks with very many attempts: together the calls
// take time in proportion to the attempts. Pure.
#pragma once

#include "trace/trace.hpp"

#include <cstddef>
#include <vector>

namespace serve {

// The attempts of one task, as the trace grows.
class TaskRows {
  public:
    // `row`: any attempt of the task.
    explicit TaskRows(trace::Row row) : row_(row) {}

    // Takes the attempts that are new. It must be the same trace each time, and contain `row`.
    void update(const trace::Trace& trace);

    // Both are as of the last update(), without which neither may be called.
    bool contains(trace::Row row) const;
    trace::Row last() const { return rows_.back(); }

  private:
    trace::Row row_;
    std::vector<trace::Row> rows_;  // ascending
};

// The tasks of which an attempt was found. It does not look at attempts from `end` on.
class FoundTasks {
  public:
    explicit FoundTasks(trace::Row end) : is_known_(end, false) {}

    // The trace must contain the attempts before `end`, and be the same each time.
    void add(const trace::Trace& trace, trace::Row row);

    std::size_t count() const { return last_rows_.size(); }
    // The last attempt of each, ascending.
    std::vector<trace::Row> last_rows() const;

  private:
    std::vector<bool> is_known_;  // by row: its task's last attempt is among `last_rows_`
    std::vector<trace::Row> last_rows_;
};

}  // namespace serve
