// What `barnum mcp` says of the tasks of a run, and its resources.
#include "base/text.hpp"
#include "json/json.hpp"
#include "run_tools/offer.hpp"
#include "run_tools/results.hpp"
#include "run_tools/runs.hpp"
#include "run_tools/task_results.hpp"

#include <charconv>
#include <optional>

namespace run_tools {

namespace asio = boost::asio;
using base::concat;
using json::quote;
using mcp::Outcome;

namespace {

constexpr std::int64_t most_listed = 100;
constexpr std::int64_t listed_by_default = 20;
constexpr std::size_t runs_as_resources = 30;

Outcome failure(const base::Error& error) {
    return mcp::ToolFailure{error.message};
}

Outcome result(std::string object) {
    return mcp::ToolResult{std::move(object), {}};
}

trace::ReadLine lines_of(const serve_shell::Follower& follower) {
    return [&follower](std::uint64_t offset) { return follower.line_at(offset); };
}

// "last" and "3" of "barnum://runs/last/tasks/3". Without a task, it is empty.
struct RunUri {
    std::string run;
    std::optional<std::string> task = {};
};

RunUri run_uri(std::string_view uri) {
    std::string_view rest = uri.substr(mcp_run_prefix.size());
    std::size_t part = rest.find(mcp_task_part);
    if (part == std::string_view::npos) return {std::string(rest)};
    return {std::string(rest.substr(0, part)), std::string(rest.substr(part + mcp_task_part.size()))};
}

std::optional<std::int64_t> number_in(const std::string& text) {
    std::int64_t number = -1;
    const char* all = text.data() + text.size();
    auto [end, error] = std::from_chars(text.data(), all, number);
    if (error != std::errc() || end != all || number < 0) return std::nullopt;
    return number;
}

Outcome unknown(const std::string& uri, std::string_view why) {
    return mcp::NotFound{uri, std::string(why)};
}

}  // namespace

asio::awaitable<base::Result<McpRuns::OpenedTask>> McpRuns::open_task(std::string run, std::int64_t task) {
    auto opened = co_await serve_shell::open_run(context_, run);
    if (!opened) co_return opened.error();
    const serve_shell::Follower& follower = *opened->follower;
    auto row = follower.trace().find(static_cast<std::uint64_t>(task));
    if (!row)
        co_return base::invalid(
            concat("The run ", run, " has no task ", task, "; list_tasks lists the tasks that there are."));
    co_return OpenedTask{std::move(*opened), *row};
}

asio::awaitable<base::Result<std::string>> McpRuns::read_object(OpenedTask task, std::size_t limit) {
    TaskWanted wanted;
    wanted.row = task.row;
    wanted.limit = limit;
    wanted.now = statelog::now();
    wanted.is_running = !(co_await serve_shell::reported_state(task.run, task.row)).empty();
    const serve_shell::Follower& follower = *task.run.follower;
    wanted.reported = follower.state();
    co_return task_object(follower.trace(), lines_of(follower), wanted);
}

asio::awaitable<Outcome> McpRuns::read_task(std::string given) {
    mcp::Arguments arguments(given);
    auto task = arguments.integer("task", 0, mcp::no_limit, -1);
    if (task < 0 && arguments.mistakes().empty()) arguments.mistake("task", "is required");
    auto run = run_in(arguments);
    if (!run) co_return failure(run.error());
    std::string id = run->found.record.id;
    auto opened = co_await open_task(id, task);
    if (!opened) co_return failure(opened.error());
    auto object = co_await read_object(*opened, mcp_room);
    if (!object) co_return failure(object.error());
    std::string uri = concat(mcp_run_prefix, id, mcp_task_part, task);
    if (object->size() > mcp_room)
        co_return mcp::ToolFailure{
            concat("The task has too many attempts to show them here: read the resource ", uri, ".")};
    co_return result(concat(R"({"kind":"Task","run":)", quote(id), mcp_member("task_uri", uri),
                            ",\"task\":", *object, "}"));
}

asio::awaitable<Outcome> McpRuns::list_tasks(std::string given) {
    mcp::Arguments arguments(given);
    TasksWanted wanted;
    wanted.step = arguments.text("step", "");
    wanted.state = arguments.choice("state", mcp_task_states);
    wanted.most = static_cast<std::size_t>(arguments.integer("limit", 1, most_listed, listed_by_default));
    wanted.offset = static_cast<std::size_t>(arguments.integer("offset", 0, mcp::no_limit, 0));
    auto run = run_in(arguments);
    if (!run) co_return failure(run.error());
    auto opened = co_await serve_shell::open_run(context_, run->found.record.id);
    if (!opened) co_return failure(opened.error());
    if (runs::is_living(run->state)) co_await opened->follower->wait_for_state();
    const serve_shell::Follower& follower = *opened->follower;
    auto object =
        tasks_result(follower.trace(), lines_of(follower), run->found.record.id, follower.state(), wanted);
    if (!object) co_return failure(object.error());
    co_return result(std::move(*object));
}

asio::awaitable<Outcome> McpRuns::list_failures(std::string given) {
    mcp::Arguments arguments(given);
    FailuresWanted wanted;
    wanted.step = arguments.text("step", "");
    wanted.most = static_cast<std::size_t>(arguments.integer("limit", 1, most_listed, listed_by_default));
    wanted.offset = static_cast<std::size_t>(arguments.integer("offset", 0, mcp::no_limit, 0));
    auto run = run_in(arguments);
    if (!run) co_return failure(run.error());
    auto opened = co_await serve_shell::open_run(context_, run->found.record.id);
    if (!opened) co_return failure(opened.error());
    const serve_shell::Follower& follower = *opened->follower;
    auto object = failures_result(follower.trace(), lines_of(follower), run->found.record.id, wanted);
    if (!object) co_return failure(object.error());
    co_return result(std::move(*object));
}

std::vector<mcp::Resource> McpRuns::resources() {
    std::vector<mcp::Resource> resources;
    auto list = context_.runs.now();
    if (!list) return resources;
    auto all = (*list)->all();
    for (auto run = all.rbegin(); run != all.rend() && resources.size() < runs_as_resources; ++run) {
        const runs::RunRecord& record = (*run)->found.record;
        std::string name = record.name.empty() ? record.id : record.name;
        resources.push_back({concat(mcp_run_prefix, record.id), name, "",
                             concat("a run of ", record.config.empty() ? "a text" : record.config, ": ",
                                    runs::state_name((*run)->state)),
                             "application/json"});
    }
    return resources;
}

std::uint64_t McpRuns::version_of(std::string_view uri) {
    auto run = find(run_uri(uri).run);
    return run ? run->version : 0;
}

asio::awaitable<Outcome> McpRuns::read_run(std::string uri, serve_shell::ServedRuns::Run run) {
    auto opened = co_await serve_shell::open_run(context_, run.found.record.id);
    if (!opened) co_return mcp::InternalError{opened.error().message};
    std::string members = co_await status_members(run, *opened);
    co_return mcp::ResourceText{uri, "application/json", concat("{", members, "}")};
}

asio::awaitable<Outcome> McpRuns::read(std::string uri) {
    RunUri parts = run_uri(uri);
    auto run = find(parts.run);
    if (!run) co_return unknown(uri, run.error().message);
    if (!parts.task) co_return co_await read_run(uri, *run);
    auto task = number_in(*parts.task);
    if (!task) co_return unknown(uri, "a task is named by its number; list_tasks lists them");
    auto opened = co_await open_task(run->found.record.id, *task);
    if (!opened) co_return unknown(uri, opened.error().message);
    auto object = co_await read_object(*opened, std::string::npos);
    if (!object) co_return mcp::InternalError{object.error().message};
    co_return mcp::ResourceText{uri, "application/json", std::move(*object)};
}

}  // namespace run_tools
