#include "runner/local_process.hpp"

#include "base/text.hpp"
#include "io/log.hpp"
#include "process/child_process.hpp"

#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>

#include <string>
#include <string_view>
#include <utility>

namespace runner {

namespace asio = boost::asio;
using End = process::ChildResult::End;

namespace {

std::string_view without_trailing_space(std::string_view text) {
    auto last = text.find_last_not_of(" \t\r\n");
    return text.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

process::ChildSpec spec_for(const config::WorkflowConfig& config, const RunId& run_id, const Attempt& attempt,
                            workflow::RunScript script) {
    process::ChildSpec spec;
    spec.script = std::move(script.script);
    spec.directory = config.directory;
    spec.environment = {{"BARNUM_RUN_ID", run_id.text()},
                        {"BARNUM_TASK_ID", std::to_string(attempt.task.value)},
                        {"BARNUM_STEP", config.step(attempt.step).name},
                        {"BARNUM_ATTEMPT", std::to_string(attempt.number)},
                        {"BARNUM_CONFIG_DIR", config.directory}};
    spec.input = std::move(script.input);
    spec.timeout = script.timeout;
    return spec;
}

workflow::ScriptFailure failure_of(const process::ChildResult& result, std::string_view error_output) {
    workflow::ScriptFailure failure;
    failure.description = process::describe(result);
    if (!error_output.empty()) failure.description += base::concat("\n", error_output);
    failure.timed_out = result.end == End::timed_out;
    if (result.end == End::exited) failure.exit_code = result.code;
    if (result.end == End::signalled) failure.signal = result.code;
    return failure;
}

}  // namespace

asio::awaitable<workflow::ScriptEnd> run_local(const config::WorkflowConfig& config, RunId run_id,
                                               Attempt attempt, workflow::RunScript script) {
    std::string_view name = script.name;
    process::ChildSpec spec = spec_for(config, run_id, attempt, std::move(script));
    process::ChildResult result = co_await process::run_child(std::move(spec));
    if (result.end == End::cancelled) throw boost::system::system_error(asio::error::operation_aborted);
    auto error_output = without_trailing_space(result.error_output);
    if (!result.succeeded()) co_return failure_of(result, error_output);
    if (!error_output.empty())
        io::log::info(label(config, attempt), ": stderr of its ", name, ":\n", error_output);
    co_return workflow::ScriptOutput{std::move(result.output)};
}

}  // namespace runner
