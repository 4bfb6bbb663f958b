#include "runner/local_process.hpp"

#include "base/text.hpp"
#include "io/log.hpp"

#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>

#include <string_view>
#include <utility>

namespace runner {

namespace asio = boost::asio;

namespace {

std::string_view without_trailing_space(std::string_view text) {
    auto last = text.find_last_not_of(" \t\r\n");
    return text.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

process::ChildSpec spec_for(const config::WorkflowConfig& config, std::string run_id, const Attempt& attempt,
                            LocalProcess& process) {
    const config::Step& step = config.step(attempt.step);
    process::ChildSpec spec;
    spec.script = std::move(process.script);
    spec.directory = config.directory;
    spec.environment = {{"BARNUM_RUN_ID", std::move(run_id)},
                        {"BARNUM_TASK_ID", std::to_string(attempt.task.value)},
                        {"BARNUM_STEP", step.name},
                        {"BARNUM_ATTEMPT", std::to_string(attempt.number)},
                        {"BARNUM_CONFIG_DIR", config.directory}};
    spec.input = std::move(process.input);
    spec.timeout = step.options.timeout;
    return spec;
}

}  // namespace

std::string label(const config::WorkflowConfig& config, const Attempt& attempt) {
    return base::concat("task ", attempt.task.value, " ", config.step(attempt.step).name,
                        attempt.is_finally ? " (finally)" : "");
}

asio::awaitable<process::ChildResult> run_local(const config::WorkflowConfig& config, std::string run_id,
                                                Attempt attempt, LocalProcess process) {
    process::ChildSpec spec = spec_for(config, std::move(run_id), attempt, process);
    process::ChildResult result = co_await process::run_child(std::move(spec));
    if (result.end == process::ChildResult::End::cancelled)
        throw boost::system::system_error(asio::error::operation_aborted);
    auto error_output = without_trailing_space(result.error_output);
    if (result.succeeded() && !error_output.empty())
        io::log::info(label(config, attempt), ": stderr of its ", process.what, ":\n", error_output);
    co_return result;
}

std::string failure_message(const std::string& what, const process::ChildResult& result) {
    std::string message = base::concat("the ", what, " ", process::describe(result));
    auto error_output = without_trailing_space(result.error_output);
    if (!error_output.empty()) message += base::concat("\n", error_output);
    return message;
}

}  // namespace runner
