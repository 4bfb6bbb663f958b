// The tasks of a run that wait for a person, from its trace (docs/serve.md, "Questions"). Pure.
#pragma once

#include "base/error.hpp"
#include "statelog/record.hpp"
#include "trace/task_json.hpp"
#include "trace/trace.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace serve {

// The rows of the tasks that wait, in their order; at most `most`.
std::vector<trace::Row> asked_rows(const trace::Trace& trace, std::size_t most);

// The question of that row as an object; "" if it has expired at `now`. `run_id`, `run_name`: of the run.
base::Result<std::string> question_json(const trace::Trace& trace, const trace::ReadLine& read_line,
                                        trace::Row row, std::string_view run_id, std::string_view run_name,
                                        statelog::Time now);

}  // namespace serve
