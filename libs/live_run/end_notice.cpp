#include "live_run/end_notice.hpp"

#include "base/own_environment.hpp"
#include "base/text.hpp"
#include "io/internal_error.hpp"
#include "io/interruption.hpp"
#include "io/log.hpp"
#include "io/signals.hpp"
#include "json/json.hpp"
#include "process/child_process.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <chrono>
#include <csignal>
#include <exception>
#include <string_view>
#include <utility>

namespace live_run {

namespace asio = boost::asio;

namespace {

constexpr std::chrono::seconds longest{30};

std::string command_of(const launch::RunOptions& options) {
    if (options.on_end) return *options.on_end;
    return base::own_variable("BARNUM_NOTIFY");
}

std::string_view last_line(std::string_view text) {
    text = text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
    return text.substr(text.rfind('\n') + 1);
}

void warn_of_failure(const process::ChildResult& result) {
    if (result.succeeded()) return;
    std::string_view said = last_line(result.error_output);
    io::log::warn("the command that is told of the run (--on-end, BARNUM_NOTIFY) ", process::describe(result),
                  said.empty() ? "" : ": ", said);
}

asio::awaitable<void> run_end_command(process::ChildSpec spec,
                                      std::shared_ptr<const output::Redaction> redaction) {
    spec.filter_error_output = output::filter_with(std::move(redaction));
    warn_of_failure(co_await process::run_child(std::move(spec)));
}

// `variable` has the run's id in the command's environment.
process::ChildSpec notice(const launch::RunOptions& options, const EndOfRun& run, const char* variable) {
    process::ChildSpec spec;
    spec.script = command_of(options);
    spec.directory = options.directory;
    spec.environment = {{variable, run.record.id}};
    spec.input = base::SplicedText(to_json(run));
    spec.timeout = longest;
    return spec;
}

}  // namespace

std::string to_json(const EndOfRun& end) {
    std::string text = runs::to_json(end.record);
    text.resize(text.rfind('}'));
    text += base::concat(",\"path\":", json::quote(end.path));
    if (!end.resume.empty()) text += base::concat(",\"resume\":", json::quote(end.resume));
    return text + "}\n";
}

void tell_of_end(const launch::RunOptions& options, const EndOfRun& end,
                 std::shared_ptr<const output::Redaction> redaction) {
    process::ChildSpec spec = notice(options, end, "BARNUM_ENDED_RUN");
    if (spec.script.empty()) return;
    asio::io_context context(1);
    io::Interruption interruption(context.get_executor(), {SIGINT, SIGTERM, SIGHUP});
    io::unblock_ending_signals();  // which the end of the run has delayed
    auto has_ended = [&](std::exception_ptr exception) {
        interruption.cancel();
        if (exception) std::rethrow_exception(exception);
    };
    asio::co_spawn(context, run_end_command(std::move(spec), std::move(redaction)),
                   asio::bind_cancellation_slot(interruption.slot(), has_ended));
    io::run_loop(context);
}

asio::awaitable<void> tell_of_waiting(const launch::RunOptions& options, EndOfRun run,
                                      std::shared_ptr<const output::Redaction> redaction) {
    process::ChildSpec spec = notice(options, run, "BARNUM_WAITING_RUN");
    if (spec.script.empty()) co_return;
    co_await run_end_command(std::move(spec), std::move(redaction));
}

}  // namespace live_run
