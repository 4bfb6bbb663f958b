// The JSON of a trace in the shape in which `barnum mcp` shows it to a model: short, with values as JSON and
// times as text. The page needs another one (trace/task_json). Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace run_tools {

// An object of trace::task_json() or trace::dropped_json(). Members are left out if they are null, internal,
// or say the usual ("finally": false). A value or response that is complete is JSON; of one that was cut,
// `value_excerpt` or `response_excerpt` has the beginning as text.
std::string mcp_task_shape(std::string_view task);

// An object of trace::sums_json(), without its braces. `state`: what the run reports (progress::state), from
// which the counts of running tasks are; empty if it reports nothing.
std::string mcp_sums_shape(std::string_view sums, std::string_view state);

// The numbers of the tasks that are running, as far as the state names them; not those that wait for a
// person.
std::set<std::uint64_t> mcp_running_tasks(std::string_view state);

// ,"running":{"phase":…,"since":…,"activity":…} of this task; "" if the state does not name it.
std::string mcp_running_member(std::string_view state, std::uint64_t task);

// What the run reports of its tasks that are at the pool.
struct AtPool {
    std::size_t tasks = 0;
    std::optional<std::size_t> agents = {};  // of the pool; none if the run does not know them
    std::string standstill = {};             // why none of the run's own agents works
};
AtPool mcp_at_pool(std::string_view state);

// A sentence if tasks wait for agents, and there are none; otherwise "". `attach`: the options with which
// `troupe` finds the pool.
std::string missing_agents(const AtPool& pool, std::string_view attach);

}  // namespace run_tools
