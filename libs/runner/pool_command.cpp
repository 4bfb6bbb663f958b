#include "runner/pool_command.hpp"

#include "runner/local_process.hpp"

#include <algorithm>
#include <utility>

namespace runner {

namespace {

using End = process::ChildResult::End;
using How = pool_protocol::CommandEnd::How;

constexpr std::size_t most_error_output = std::size_t{64} << 10;  // as of a local process

End end_of(How how) {
    switch (how) {
        case How::exited:
            return End::exited;
        case How::signalled:
            return End::signalled;
        case How::timed_out:
            return End::timed_out;
        case How::too_much_output:
            return End::too_much_output;
        case How::not_started:
            break;
    }
    return End::not_started;
}

}  // namespace

base::SplicedText pool_command(const config::WorkflowConfig& config, const RunId& run_id,
                               const Attempt& attempt, workflow::RunScript script) {
    pool_protocol::CommandTask task;
    task.script = std::move(script.script);
    task.variables = variables_of(config, run_id, attempt);
    for (const auto& variable : config.step(attempt.step).env)
        task.variables.push_back(variable);
    if (attempt.previous) task.previous_attempts = workflow::to_json(*attempt.previous);
    task.max_output = script.max_output;
    if (script.timeout) task.timeout = config.step(attempt.step).options.timeout_text;
    return command_content(task, std::move(script.input));
}

process::ChildResult child_result(pool_protocol::CommandEnd end) {
    process::ChildResult result;
    result.end = end_of(end.how);
    result.code = end.code;
    result.output = std::move(end.output);
    std::size_t left_out = end.error_output.size() - std::min(end.error_output.size(), most_error_output);
    result.error_output = end.error_output.substr(left_out);
    result.message = std::move(end.message);
    result.use = {end.cpu, end.peak_memory};
    return result;
}

}  // namespace runner
