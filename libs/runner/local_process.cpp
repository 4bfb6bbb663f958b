#include "runner/local_process.hpp"

#include "base/text.hpp"
#include "io/log.hpp"
#include "process/child_process.hpp"
#include "runner/run_mark.hpp"

#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>

#include <optional>
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
    spec.name = label(config, attempt);
    spec.script = std::move(script.script);
    spec.directory = config.directory;
    spec.environment = run_mark(run_id.text());
    auto variables = variables_of(config, run_id, attempt);
    spec.environment.insert(spec.environment.end(), variables.begin(), variables.end());
    const auto& own = config.step(attempt.step).env;
    spec.unmarked.assign(own.begin(), own.end());
    spec.input = std::move(script.input);
    spec.timeout = script.timeout;
    spec.max_output = script.max_output;
    return spec;
}

void keep_output(process::ChildSpec& spec, KeptOutput::Writer& writer) {
    spec.on_output = [&writer](std::string_view piece) { writer.add(output::Stream::out, piece); };
    spec.on_error_output = [&writer](std::string_view piece) { writer.add(output::Stream::err, piece); };
}

workflow::ScriptFailure failure_of(const process::ChildResult& result, std::string_view error_output) {
    workflow::ScriptFailure failure;
    failure.description = process::describe(result);
    if (!error_output.empty()) failure.description += base::concat("\n", error_output);
    failure.timed_out = result.end == End::timed_out;
    failure.printed_too_much = result.end == End::too_much_output;
    failure.is_permanent = result.is_too_large;
    if (result.end == End::exited) failure.exit_code = result.code;
    if (result.end == End::signalled) failure.signal = result.code;
    return failure;
}

}  // namespace

process::Environment variables_of(const config::WorkflowConfig& config, const RunId& run_id,
                                  const Attempt& attempt) {
    return {{"BARNUM_RUN_ID", run_id.text()},
            {"BARNUM_TASK_ID", std::to_string(attempt.task.value)},
            {"BARNUM_STEP", config.step(attempt.step).name},
            {"BARNUM_ATTEMPT", std::to_string(attempt.number)},
            {"BARNUM_CONFIG_DIR", config.directory}};
}

LocalEnd end_of_script(const config::WorkflowConfig& config, const Attempt& attempt, std::string_view name,
                       process::ChildResult result) {
    auto error_output = without_trailing_space(result.error_output);
    if (!result.succeeded()) return {failure_of(result, error_output), result.use};
    if (!error_output.empty())
        io::log::info(label(config, attempt), ": stderr of its ", name, ":\n", error_output);
    return {workflow::ScriptOutput{std::move(result.output)}, result.use};
}

asio::awaitable<LocalEnd> run_local(const config::WorkflowConfig& config, RunId run_id, Attempt attempt,
                                    workflow::RunScript script, OutputUse use,
                                    process::Environment variables) {
    std::string_view name = script.name;
    std::optional<KeptOutput::Writer> writer;
    if (use.kept != nullptr) writer.emplace(*use.kept, source_of(config, attempt, script.phase));
    process::ChildSpec spec = spec_for(config, run_id, attempt, std::move(script));
    spec.unmarked.insert(spec.unmarked.end(), variables.begin(), variables.end());
    if (writer) keep_output(spec, *writer);
    if (use.redaction) spec.filter_error_output = output::filter_with(use.redaction);
    process::ChildResult result = co_await process::run_child(std::move(spec));
    if (result.end == End::cancelled) throw boost::system::system_error(asio::error::operation_aborted);
    LocalEnd end = end_of_script(config, attempt, name, std::move(result));
    co_return end;
}

}  // namespace runner
