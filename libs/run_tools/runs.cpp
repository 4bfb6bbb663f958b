#include "run_tools/runs.hpp"

#include "base/current_directory.hpp"
#include "base/text.hpp"
#include "json/json.hpp"
#include "mcp/waiting.hpp"
#include "pool_client/status_query.hpp"
#include "pool_protocol/pool_directory.hpp"
#include "pool_protocol/status.hpp"
#include "run_tools/offer.hpp"
#include "run_tools/results.hpp"
#include "run_tools/shape.hpp"
#include "run_tools/task_results.hpp"
#include "run_tools/words.hpp"
#include "runs/run_reference.hpp"
#include "trace/run_json.hpp"

#include <algorithm>
#include <chrono>

namespace run_tools {

namespace asio = boost::asio;
using base::concat;
using mcp::Outcome;
using std::chrono::steady_clock;

namespace {

constexpr std::int64_t most_runs_listed = 100;
constexpr std::int64_t runs_listed_by_default = 20;
// No call may last longer than 45 s. What follows a wait takes up to this long.
constexpr std::chrono::seconds longest_mcp_wait{42};
constexpr std::chrono::seconds longest_question{2};

Outcome run_failure(const base::Error& error) {
    return mcp::ToolFailure{error.message};
}

Outcome run_result(std::string object) {
    return mcp::ToolResult{std::move(object), {}};
}

// "" while the run goes on.
asio::awaitable<std::string_view> end_kind(serve_shell::ServeContext& context,
                                           const serve_shell::ServedRuns::Run& run) {
    if (!runs::is_living(run.state)) co_return "Ended";
    if (!waits_for_people(run.found.record)) co_return "";
    auto opened = co_await serve_shell::open_run(context, run.found.record.id);
    co_return opened&& waits_for_people(opened->follower->trace()) ? "Asking" : "";
}

// The value of an option that the run was started with; "" without it.
std::string option_of(const runs::RunRecord& record, std::string_view option) {
    std::string prefix = concat("--", option, "=");
    for (const std::string& word : record.options)
        if (word.starts_with(prefix)) return word.substr(prefix.size());
    return "";
}

std::string people_member(const trace::Trace& trace) {
    std::string people = human_tasks(trace);
    return people.empty() ? "" : concat(",\"tasks_for_people\":[", people, "]");
}

}  // namespace

base::Result<serve_shell::ServedRuns::Run> McpRuns::find(const std::string& reference) {
    auto list = context_.runs.now();
    if (!list) return list.error();
    if (const auto* run = (*list)->find(reference)) return *run;
    auto all = (*list)->all();
    std::vector<runs::RunRecord> records;
    for (const serve_shell::ServedRuns::Run* run : all)
        records.push_back(run->found.record);
    auto directory = base::current_directory();
    auto index = runs::find_run(reference, records, directory ? *directory : "");
    if (!index) return base::Error{index.error().code, in_tool_words(index.error().message)};
    return *all[*index];
}

base::Result<serve_shell::ServedRuns::Run> McpRuns::run_in(mcp::Arguments& arguments) {
    std::string reference = arguments.required_text("run");
    if (!arguments.mistakes().empty()) return base::invalid(arguments.mistakes());
    return find(reference);
}

Outcome McpRuns::list(const std::string& given) {
    mcp::Arguments arguments(given);
    std::string state = arguments.choice("state", mcp_run_states);
    auto limit =
        static_cast<std::size_t>(arguments.integer("limit", 1, most_runs_listed, runs_listed_by_default));
    if (!arguments.mistakes().empty()) return mcp::ToolFailure{arguments.mistakes()};
    auto list = context_.runs.now();
    if (!list) return run_failure(list.error());
    std::vector<std::string> texts;
    std::size_t left_out = 0;
    auto found = (*list)->all();
    for (auto run = found.rbegin(); run != found.rend(); ++run) {
        if (!state.empty() && runs::state_name((*run)->state) != state) continue;
        if (texts.size() == limit)
            ++left_out;
        else
            texts.push_back(concat("{", run_members((*run)->found, (*run)->state), "}"));
    }
    FittedList shown = fitted(texts, mcp_room);
    return run_result(concat(R"({"kind":"Runs","runs":[)", shown.elements,
                             "],\"left_out\":", left_out + shown.left_out, "}"));
}

// A run knows the agents of the pool that it hosts. Of another pool the daemon is asked.
asio::awaitable<std::string> McpRuns::missing_agents_of(serve_shell::OpenedRun run) {
    if (!runs::is_living(run.state)) co_return "";
    co_await run.follower->wait_for_state();
    AtPool pool = mcp_at_pool(run.follower->state());
    const runs::RunRecord& record = run.follower->found().record;
    std::string root = option_of(record, "root");
    auto directory = pool_protocol::locate(root.empty() ? root_ : root, option_of(record, "pool"));
    if (!directory) co_return missing_agents(pool, "");
    if (pool.tasks > 0 && !pool.agents) {
        auto answer =
            co_await pool_client::ask_status(*directory, longest_question, pool_client::AskedHosts::this_one);
        auto status = answer ? pool_protocol::parse_status(*answer) : answer.error();
        if (status) pool.agents = status->agents.size() + status->away.size();
    }
    co_return missing_agents(pool, pool_protocol::options_of(*directory));
}

// The members include the sums of the run's steps.
asio::awaitable<std::string> McpRuns::status_members(serve_shell::ServedRuns::Run run,
                                                     serve_shell::OpenedRun opened) {
    std::string missing = co_await missing_agents_of(opened);
    const serve_shell::Follower& follower = *opened.follower;
    const auto& problem = follower.problem();
    // The log may have been replaced meanwhile, and not have been read yet.
    bool is_read = follower.trace().config() != nullptr;
    std::string sums =
        is_read ? "," + mcp_sums_shape(trace::sums_json(follower.trace()), follower.state()) : std::string();
    co_return concat(run_members(run.found, run.state), sums, people_member(follower.trace()),
                     mcp_member("agents_missing", missing),
                     problem ? mcp_member("problem", problem->message) : "");
}

asio::awaitable<Outcome> McpRuns::status(std::string given) {
    mcp::Arguments arguments(given);
    auto run = run_in(arguments);
    if (!run) co_return run_failure(run.error());
    std::string id = run->found.record.id;
    auto opened = co_await serve_shell::open_run(context_, id);
    if (!opened) co_return run_failure(opened.error());
    std::string object = concat(R"({"kind":"Run",)", co_await status_members(*run, *opened), "}");
    if (object.size() < mcp::result_limit) co_return run_result(std::move(object));
    std::string uri = concat(mcp_run_prefix, id);
    mcp::ToolResult cut;
    cut.object =
        concat(R"({"kind":"Run",)", run_members(run->found, run->state), mcp_member("details_uri", uri), "}");
    cut.links.push_back({uri, id, "", "The run with all its steps", "application/json"});
    co_return cut;
}

// The members beside those that list_runs shows: what the run waits for.
asio::awaitable<std::string> McpRuns::waited_members(std::string_view kind,
                                                     serve_shell::ServedRuns::Run run) {
    bool is_over = kind == "Ended" && run.state != runs::RunState::waiting;
    if (is_over) co_return "";
    auto opened = co_await serve_shell::open_run(context_, run.found.record.id);
    if (!opened) co_return "";
    std::string missing = co_await missing_agents_of(*opened);
    co_return concat(people_member(opened->follower->trace()), mcp_member("agents_missing", missing));
}

asio::awaitable<Outcome> McpRuns::wait(std::string given, mcp::Server& server, mcp::CallId call) {
    mcp::Arguments arguments(given);
    auto longest = mcp::wait_in(arguments);
    auto run = run_in(arguments);
    if (!run) co_return run_failure(run.error());
    mcp::Waiting waiting(context_.executor, server, call, longest);
    auto end = steady_clock::now() + std::min(longest, longest_mcp_wait);
    io::Bell bell(context_.executor);
    auto watch = context_.runs.watch(bell);
    std::string id = run->found.record.id;
    std::string_view kind = co_await end_kind(context_, *run);
    while (kind.empty() && steady_clock::now() < end) {
        co_await bell.wait(end - steady_clock::now());
        run = find(id);
        if (!run) co_return run_failure(run.error());
        kind = co_await end_kind(context_, *run);
    }
    if (kind.empty()) kind = "Wait";
    std::string more = co_await waited_members(kind, *run);
    co_return run_result(concat("{\"kind\":\"", kind, "\",", run_members(run->found, run->state), more, "}"));
}

std::vector<std::string> McpRuns::ids(std::string_view beginning) {
    std::vector<std::string> found;
    auto list = context_.runs.now();
    if (!list) return found;
    auto all = (*list)->all();
    for (auto run = all.rbegin(); run != all.rend(); ++run)
        if ((*run)->found.record.id.starts_with(beginning)) found.push_back((*run)->found.record.id);
    return found;
}

}  // namespace run_tools
