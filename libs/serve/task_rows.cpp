#include "serve/task_rows.hpp"

#include <algorithm>

namespace serve {

void TaskRows::update(const trace::Trace& trace) {
    const trace::Row end = trace.position().rows;
    if (rows_.empty()) rows_.push_back(trace.first_of(row_));
    for (trace::Row next = trace.attempt(last()).next; next < end; next = trace.attempt(next).next)
        rows_.push_back(next);
}

bool TaskRows::contains(trace::Row row) const {
    return std::ranges::binary_search(rows_, row);
}

void FoundTasks::add(const trace::Trace& trace, trace::Row row) {
    while (row < is_known_.size() && !is_known_[row]) {
        is_known_[row] = true;
        trace::Row next = trace.attempt(row).next;
        if (next >= is_known_.size()) last_rows_.push_back(row);
        row = next;
    }
}

std::vector<trace::Row> FoundTasks::last_rows() const {
    std::vector<trace::Row> sorted = last_rows_;
    std::ranges::sort(sorted);
    return sorted;
}

}  // namespace serve
