// The event stream of `--progress json`: one object per line, as described in docs/progress.md. Pure.
#pragma once

#include "progress/table.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace progress {

using WallTime = std::chrono::sys_time<std::chrono::milliseconds>;

// The attempt that an event is about.
struct Subject {
    std::uint64_t task = 0;
    std::string_view step;  // its name, without "(finally)"
    bool is_finally = false;
    std::uint32_t attempt = 1;
};

// Each of these functions returns one line with its newline.
std::string run_started(WallTime time, std::string_view run_id, std::string_view state_log,
                        const Model& model);
std::string task_started(WallTime time, const Subject& subject);
std::string task_phase(WallTime time, std::uint64_t task, TaskPhase phase);
// `activity`: JSON text (pool_protocol/agent_activity), or "null".
std::string task_activity(WallTime time, std::uint64_t task, std::string_view agent,
                          std::string_view activity);
std::string task_done(WallTime time, const Subject& subject, Duration took, std::size_t children);
std::string task_retried(WallTime time, const Subject& subject, Duration took, std::uint64_t retry,
                         std::chrono::milliseconds wait, std::string_view message);
// `run_id`, `earlier`: the run and the task whose result was taken over.
std::string task_reused(WallTime time, const Subject& subject, std::string_view run_id, std::uint64_t earlier,
                        std::size_t children);
std::string task_put_back(WallTime time, const Subject& subject);
std::string task_dropped(WallTime time, const Subject& subject, Duration took, std::string_view message);
std::string summary(WallTime time, const Model& model, std::optional<Agents> agents,
                    const std::optional<Spending>& spending, Time now);
// `result`: "finished", "failed", "interrupted", "pool_unreachable", …
std::string run_ended(WallTime time, std::string_view result, std::string_view message, const Model& model,
                      const std::optional<Spending>& spending, Time now);
// `command`: a command at the end of the message; may be empty.
std::string log_line(WallTime time, std::string_view level, std::string_view message,
                     std::string_view command = {});

}  // namespace progress
