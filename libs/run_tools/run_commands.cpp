// What `barnum mcp` does with runs by commands of this program.
#include "base/text.hpp"
#include "json/json.hpp"
#include "process/own_command.hpp"
#include "run_tools/logs.hpp"
#include "run_tools/offer.hpp"
#include "run_tools/results.hpp"
#include "run_tools/runs.hpp"
#include "run_tools/words.hpp"

#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/this_coro.hpp>

#include <chrono>

namespace run_tools {

namespace asio = boost::asio;
using base::concat;
using json::quote;
using mcp::Outcome;
using process::ChildResult;

namespace {

// No call may last longer than 45 s.
constexpr std::chrono::seconds longest_command{40};
constexpr std::size_t longest_argument = 100'000;
constexpr std::int64_t most_lines = 1000;
constexpr std::int64_t lines_by_default = 100;

Outcome result(std::string_view kind, std::string_view run, std::string_view message) {
    return mcp::ToolResult{
        concat("{\"kind\":\"", kind, "\",\"run\":", quote(run), mcp_member("message", message), "}"), {}};
}

Outcome failure_of(std::string_view command, const ChildResult& done) {
    return mcp::ToolFailure{in_tool_words(process::failure_message(command, done))};
}

Outcome result_of(std::string_view command, const ChildResult& done, std::string_view run) {
    if (!done.succeeded()) return failure_of(command, done);
    return result("Done", run, process::without_end(done.output));
}

std::string required_task(mcp::Arguments& arguments) {
    auto task = arguments.integer("task", 0, mcp::no_limit, -1);
    if (task < 0 && arguments.mistakes().empty()) arguments.mistake("task", "is required");
    return std::to_string(task);
}

}  // namespace

asio::awaitable<ChildResult> McpRuns::command(std::vector<std::string> words) {
    if (!root_.empty()) words.push_back("--root=" + root_);
    return process::run_own_command(std::move(words), longest_command);
}

asio::awaitable<Outcome> McpRuns::read_logs(std::string given) {
    mcp::Arguments arguments(given);
    auto task = arguments.integer("task", 0, mcp::no_limit, -1);
    std::string step = arguments.text("step", "");
    std::string stream = arguments.choice("stream", mcp_streams);
    auto lines = static_cast<std::size_t>(arguments.integer("lines", 1, most_lines, lines_by_default));
    auto run = run_in(arguments);
    if (!run) co_return mcp::ToolFailure{run.error().message};
    std::vector<std::string> words{"logs", run->found.path, "--json"};
    if (task >= 0) words.push_back(concat("--task=", task));
    if (!step.empty()) words.push_back(concat("--step=", step));
    auto done = co_await command(std::move(words));
    Outcome outcome = failure_of("logs", done);
    if (done.end == ChildResult::End::too_much_output)
        outcome = mcp::ToolFailure{"The run has written too much for this: give a `task` or a `step`."};
    if (done.succeeded()) outcome = mcp::ToolResult{logs_result(done.output, lines, stream), {}};
    co_return outcome;
}

asio::awaitable<Outcome> McpRuns::cancel(std::string given) {
    mcp::Arguments arguments(given);
    bool now = arguments.flag("now");
    auto run = run_in(arguments);
    if (!run) co_return mcp::ToolFailure{run.error().message};
    std::vector<std::string> words{"cancel", run->found.path};
    if (now) words.emplace_back("--now");
    auto done = co_await command(std::move(words));
    std::string id = run->found.record.id;
    Outcome outcome = failure_of("cancel", done);
    if (done.succeeded()) outcome = result("Ended", id, process::without_end(done.output));
    // Only the waiting of `barnum cancel` was ended.
    if (done.end == ChildResult::End::timed_out)
        outcome = result("Ending", id, "it ends when the commands that are running have ended");
    co_return outcome;
}

asio::awaitable<Outcome> McpRuns::change(std::string verb, std::string given) {
    mcp::Arguments arguments(given);
    auto run = run_in(arguments);
    if (!run) co_return mcp::ToolFailure{run.error().message};
    std::vector<std::string> words{verb, run->found.path};
    auto done = co_await command(std::move(words));
    co_return result_of(verb, done, run->found.record.id);
}

// What the command would say with its own words, or with a line of its log.
asio::awaitable<base::Result<void>> McpRuns::check_retry(serve_shell::ServedRuns::Run run) {
    const runs::RunRecord& record = run.found.record;
    auto allowed = allowed_.check(record.config.empty() ? record.directory : record.config);
    if (!allowed) co_return allowed;
    if (runs::is_living(run.state))
        co_return base::invalid(concat(
            "The run ", record.id, " is still running. Call wait_run until it has ended, or cancel_run."));
    auto opened = co_await serve_shell::open_run(context_, record.id);
    if (!opened) co_return opened.error();
    std::uint64_t dropped = 0;
    for (const trace::Tally& tally : opened->follower->trace().tallies())
        dropped += tally.tasks.dropped + tally.finallys.dropped;
    if (dropped > 0) co_return base::Result<void>();
    bool goes_on = is_resumable(record, run.state);
    co_return base::invalid(concat(
        "There is nothing to retry: no task of the run ", record.id, " was dropped.",
        goes_on
            ? concat(" It has not finished; the user can continue it with `barnum resume ", record.id, "`.")
            : ""));
}

asio::awaitable<Outcome> McpRuns::retry(std::string given) {
    mcp::Arguments arguments(given);
    std::string step = arguments.text("step", "");
    std::vector<std::string> words{"retry", "", "--detach"};
    for (std::int64_t task : arguments.integers("tasks"))
        words.push_back(concat("--task=", task));
    if (arguments.json("tasks") == "[]")
        arguments.mistake("tasks", "names no task; leave it out to retry all dropped tasks");
    if (!step.empty() && words.size() > 3)
        arguments.mistake("tasks", "and `step` cannot both be given: each says which dropped tasks it is");
    if (!step.empty()) words.push_back(concat("--step=", step));
    auto run = run_in(arguments);
    if (!run) co_return mcp::ToolFailure{run.error().message};
    auto possible = co_await check_retry(*run);
    if (!possible) co_return mcp::ToolFailure{possible.error().message};
    words[1] = run->found.path;
    // A run is started whole or not at all.
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    auto done = co_await command(std::move(words));
    Outcome outcome = failure_of("retry", done);
    std::string_view started = process::without_end(done.output);
    if (done.succeeded() && !started.empty())
        outcome = mcp::ToolResult{concat(R"({"kind":"Started","run":)", quote(started),
                                         mcp_member("retries", run->found.record.id), "}"),
                                  {}};
    co_return outcome;
}

asio::awaitable<Outcome> McpRuns::answer(std::string given) {
    mcp::Arguments arguments(given);
    std::string task = required_task(arguments);
    std::string response = arguments.inner_json("response");
    std::string reason = arguments.text("reject", "");
    if (response == "null") response.clear();
    if (response.empty() == reason.empty())
        arguments.mistake("response", "or `reject` must be given, and not both");
    if (response.size() > longest_argument || reason.size() > longest_argument)
        arguments.mistake("response",
                          concat("and `reject` must be shorter than ", longest_argument, " bytes"));
    auto run = run_in(arguments);
    if (!run) co_return mcp::ToolFailure{run.error().message};
    std::vector<std::string> words{"answer", run->found.path, task};
    words.emplace_back("--through=MCP");
    words.push_back(response.empty() ? concat("--reject=", reason) : concat("--response=", response));
    auto done = co_await command(std::move(words));
    co_return result_of("answer", done, run->found.record.id);
}

}  // namespace run_tools
