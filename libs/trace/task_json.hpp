// One task of a trace with all that the log says of it, as JSON for a page. Pure: lines are read through a
// function.
#pragma once

#include "base/error.hpp"
#include "trace/read_line.hpp"
#include "trace/trace.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace trace {

inline constexpr std::uint32_t max_children_shown = 1000;
// A response of more tasks or bytes is not put together again: the page shows the children instead.
inline constexpr std::uint32_t max_response_tasks = 100;
inline constexpr std::size_t max_response_bytes = std::size_t{64} << 10;

// "waiting", "human", "done" or "dropped": the log does not say which tasks are running.
std::string_view state_name(const Trace& trace, Row row);

// Which rows are shown, and under which numbers: `absent` for one that is left out. Without it, all rows are
// shown.
using Renumber = std::function<Row(Row)>;

struct TaskJsonOptions {
    std::string_view state = {};  // instead of state_name(): "running"
    Renumber renumber = {};
    // The most bytes of a value, a response and a message. What is longer is cut, and "value_left_out",
    // "response_left_out" or "message_left_out" says how many bytes are missing.
    std::size_t most_text = SIZE_MAX;
};

// The object without its closing brace, so that members can follow. `row` is any attempt of the task; what is
// shown of the task is shown under its last row. Fails if there is no such row, or if a line cannot be read.
base::Result<void> append_task(std::string& out, const Trace& trace, const ReadLine& read_line, Row row,
                               const TaskJsonOptions& options = {});

// The whole object.
base::Result<std::string> task_json(const Trace& trace, const ReadLine& read_line, Row row,
                                    const TaskJsonOptions& options = {});

}  // namespace trace
