// The results of the tools of `barnum mcp` that show tasks, as JSON that is short enough for every client.
// Pure: lines of the log are read through a function.
#pragma once

#include "statelog/record.hpp"
#include "trace/read_line.hpp"
#include "trace/trace.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace run_tools {

// Whether only tasks that wait for a person are left.
bool waits_for_people(const trace::Trace& trace);

// The numbers of the tasks that wait for a person, with commas between them; at most a hundred.
std::string human_tasks(const trace::Trace& trace);

struct TaskWanted {
    trace::Row row = 0;
    std::string_view reported = {};  // the state that the run reports (progress::state); may be empty
    bool is_running = false;         // as the run reports
    statelog::Time now;
    std::size_t limit = 0;  // bytes
};

// A task as JSON, of at most `limit` bytes if shorter texts are enough for that. Tasks are named by their
// numbers. Of a task that waits for a person, it has what a person needs to answer it.
base::Result<std::string> task_object(const trace::Trace& trace, const trace::ReadLine& read_line,
                                      const TaskWanted& wanted);

// {"kind":"Tasks",…}: the tasks in the order of their numbers.
struct TasksWanted {
    std::string step;        // only of this step; empty: of all
    std::string state;       // only in this state; empty: in any
    std::size_t offset = 0;  // how many are skipped
    std::size_t most = 0;
};
base::Result<std::string> tasks_result(const trace::Trace& trace, const trace::ReadLine& read_line,
                                       std::string_view run, std::string_view reported,
                                       const TasksWanted& wanted);

// {"kind":"Failures",…}: the dropped tasks, the last ones first.
struct FailuresWanted {
    std::string step;        // only of this step; empty: of all
    std::size_t offset = 0;  // how many are skipped
    std::size_t most = 0;
};
base::Result<std::string> failures_result(const trace::Trace& trace, const trace::ReadLine& read_line,
                                          std::string_view run, const FailuresWanted& wanted);

}  // namespace run_tools
