#include "pool_tools/tasks.hpp"

#include "agents/agent_redaction.hpp"
#include "agents/task_delivery.hpp"
#include "base/text.hpp"
#include "io/internal_error.hpp"
#include "io/log.hpp"
#include "json/json.hpp"
#include "mcp/excerpt.hpp"
#include "pool_client/new_id.hpp"
#include "pool_client/pool_wait.hpp"
#include "pool_protocol/messages.hpp"
#include "pool_protocol/names.hpp"
#include "pool_tools/results.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>

#include <algorithm>

namespace pool_tools {

namespace asio = boost::asio;
using pool_client::Assignment;
using pool_protocol::KickReason;
using pool_protocol::Release;
using pool_protocol::StatedKickReason;

namespace {

constexpr std::size_t longest_mistakes = 12'000;
// A client has tasks that it may not know of, because it has given up the calls without saying so. It may
// give up this one, too, if it waits for long.
constexpr std::chrono::seconds wait_if_there_is_to_tell{1};

pool_protocol::UnixTime unix_now() {
    return std::chrono::duration_cast<pool_protocol::UnixTime>(
        std::chrono::system_clock::now().time_since_epoch());
}

// What a model says may quote what it has seen.
std::string without_secrets(std::string_view words) {
    return agents::redaction_for(agent_driver::Settings())->redact_quotes(words);
}

Release handed_back(std::string why) {
    Release release;
    release.message = std::move(why);
    return release;
}

// Stopped is for a pool that nobody serves, because a model then ends its work.
mcp::Outcome without_pool(const base::Error& error) {
    if (error.code != boost::system::errc::host_unreachable) return mcp::ToolFailure{error.message};
    return mcp::ToolResult{simple_result("Stopped", "", error.message), {}};
}

// What a response may mean: JSON that was written into a string, or a text, comes without its quotes.
std::vector<std::string> readings_of(std::string_view response) {
    json::View value = json::View::of(response);
    if (!value.is(json::Kind::string)) return {std::string(response)};
    return {value.string(), std::string(response)};
}

std::string path_of(const pool_protocol::PoolDirectory& directory, const std::string& id,
                    pool_protocol::FileKind kind) {
    return base::concat(directory.agents(), "/", std::string_view(pool_protocol::file_name(id, kind)));
}

}  // namespace

struct McpTasks::Held {
    Held(Assignment given, std::string agent)
        : assignment(std::move(given)), name(std::move(agent)), check(assignment.response_schema) {}

    Assignment assignment;
    std::string name;
    agents::ResponseCheck check;
    std::optional<pool_protocol::UnixTime> deadline;
    std::unique_ptr<pool_client::KickWatch> kick_watch;
};

struct McpTasks::Wait {
    std::optional<base::Result<Assignment>> found;
};

McpTasks::McpTasks(asio::any_io_executor executor, io::DirectoryWatch& watch,
                   pool_protocol::PoolDirectory directory, Settings settings)
    : executor_(executor),
      watch_(watch),
      directory_(std::move(directory)),
      settings_(std::move(settings)),
      session_(executor, directory_, pool_client::new_id()),
      background_(executor, io::end_process),
      releases_(executor, io::end_process) {}

McpTasks::~McpTasks() = default;

asio::awaitable<mcp::Outcome> McpTasks::next(mcp::CallId call, std::string client,
                                             std::chrono::seconds time) {
    if (!std::exchange(has_session_, true)) background_.spawn("session", session_.keep());
    pool_client::AgentTraits traits;
    traits.name = !settings_.name.empty() ? settings_.name : client.empty() ? "mcp" : client;
    traits.session = session_.id();
    traits.keeps_lock = true;
    traits.ends_when_told = true;
    traits.labels = settings_.labels;
    traits.wants_schema = true;
    if (ledger_.has_to_tell()) time = std::min(time, wait_if_there_is_to_tell);
    auto wait = std::make_shared<Wait>();
    std::exception_ptr cancelled;
    try {
        co_await wait_for(wait, traits, time);
    } catch (const boost::system::system_error&) {
        cancelled = std::current_exception();
    }
    mcp::Outcome outcome = outcome_of(*wait, call, traits.name);
    if (!cancelled) co_return outcome;
    unheard(call);
    std::rethrow_exception(cancelled);
}

// A timeout ends the wait as a cancellation does: an agent that has not got a task then gets none, and one
// that has keeps it.
asio::awaitable<void> McpTasks::wait_for(std::shared_ptr<Wait> wait, pool_client::AgentTraits traits,
                                         std::chrono::seconds time) {
    io::TaskGroup group(executor_, io::end_process);
    group.spawn("waiting for a task", wait_for_task(wait, std::move(traits)));
    asio::steady_timer timer(executor_, time);
    auto alive = std::make_shared<int>();
    timer.async_wait([&group, is_alive = std::weak_ptr(alive)](boost::system::error_code ec) {
        if (!ec && !is_alive.expired()) group.cancel();
    });
    co_await group.join_or_cancel();
}

// Ends with a task, with the pool, or with an error.
asio::awaitable<void> McpTasks::wait_for_task(std::shared_ptr<Wait> wait, pool_client::AgentTraits traits) {
    while (true) {
        auto assignment = co_await pool_client::get_task(watch_, directory_, traits);
        bool is_over =
            assignment.has_error() || assignment->kind == Assignment::Kind::task ||
            (assignment->kind == Assignment::Kind::kicked && assignment->reason == KickReason::stopped);
        if (is_over) {
            wait->found = std::move(assignment);
            co_return;
        }
        if (assignment->kind == Assignment::Kind::heartbeat)
            (void)pool_client::respond(directory_, *assignment, "{}");
    }
}

mcp::Outcome McpTasks::outcome_of(Wait& wait, mcp::CallId call, const std::string& name) {
    if (!wait.found) {
        auto pool = pool_client::open_served_pool(directory_);
        if (pool.has_error()) return without_pool(pool.error());
        return mcp::ToolResult{no_task_result(ledger_.tell_unnamed(call)), {}};
    }
    if (wait.found->has_error()) return without_pool(wait.found->error());
    if ((*wait.found)->kind == Assignment::Kind::task) return hold(std::move(**wait.found), call, name);
    return mcp::ToolResult{simple_result("Stopped", "", "The pool was stopped."), {}};
}

mcp::Outcome McpTasks::hold(Assignment assignment, mcp::CallId call, const std::string& name) {
    auto held = std::make_shared<Held>(std::move(assignment), name);
    const std::string& id = held->assignment.uuid;
    held_.emplace(id, held);
    ledger_.given(call, id);
    if (auto timeout = pool_protocol::content_timeout(held->assignment.content))
        held->deadline = unix_now() + *timeout;
    held->kick_watch = std::make_unique<pool_client::KickWatch>(
        executor_, watch_, session_, directory_, held->assignment,
        [this, id](const StatedKickReason& reason) { taken_away(id, reason); });
    return given(call, *held);
}

mcp::Outcome McpTasks::given(mcp::CallId call, const Held& held) {
    const std::string& id = held.assignment.uuid;
    GivenTask task;
    task.id = id;
    task.content = held.assignment.content;
    task.content_file = path_of(directory_, id, pool_protocol::FileKind::task);
    task.schema = held.assignment.response_schema;
    task.schema_file = path_of(directory_, id, pool_protocol::FileKind::schema);
    task.deadline = held.deadline;
    return mcp::ToolResult{to_json(task, unix_now(), ledger_.tell_unnamed(call)), {}};
}

mcp::Outcome McpTasks::again(mcp::CallId call, const std::string& id) {
    auto found = held_.find(id);
    if (found == held_.end()) return ledger_.end_of(id);
    ledger_.used(id);
    return given(call, *found->second);
}

mcp::Outcome McpTasks::finish(const std::string& id, std::string_view response) {
    auto found = held_.find(id);
    if (found == held_.end()) return ledger_.end_of(id);
    ledger_.used(id);
    std::shared_ptr<Held> held = found->second;
    std::vector<std::string> readings = readings_of(response);
    bool is_json = readings.front().empty() || json::checked(readings.front()).has_value();
    std::string mistakes;
    for (const std::string& reading : readings) {
        std::string found_here = reading.empty() ? "It is empty." : held->check.mistakes(reading);
        if (found_here.empty()) return give_in(held, reading);
        // A text that is no JSON was meant as a string.
        if (mistakes.empty() || !is_json) mistakes = std::move(found_here);
    }
    std::string message =
        base::concat("The response was not given in: ", mcp::excerpt(mistakes, longest_mistakes),
                     "\nCorrect it, and call finish_task again.");
    return mcp::ToolResult{simple_result("Invalid", id, message), {}};
}

mcp::Outcome McpTasks::give_in(const std::shared_ptr<Held>& held, std::string_view text) {
    const std::string& id = held->assignment.uuid;
    auto written = pool_client::respond(directory_, held->assignment, text);
    if (written.has_error())
        return mcp::ToolFailure{base::concat("The response could not be given in: ", written.error().message,
                                             ". Call finish_task again.")};
    ledger_.finished(id);
    held_.erase(id);  // `held` is another reference
    return ledger_.end_of(id);
}

mcp::Outcome McpTasks::give_back(const std::string& id, std::string_view reason) {
    if (ledger_.given_back(id)) release_later(id, handed_back(without_secrets(reason)));
    return ledger_.end_of(id);
}

mcp::Outcome McpTasks::keep_alive(const std::string& id) {
    auto found = held_.find(id);
    if (found == held_.end()) return ledger_.end_of(id);
    ledger_.used(id);
    std::string time;
    if (auto deadline = found->second->deadline)
        time = base::concat(",\"seconds_left\":",
                            std::max<std::int64_t>(0, (*deadline - unix_now()).count() / 1000));
    return mcp::ToolResult{base::concat(R"({"kind":"Held","id":)", json::quote(id), time, "}"), {}};
}

void McpTasks::unheard(mcp::CallId call) {
    if (auto id = ledger_.unheard(call))
        release_later(*id, handed_back("the client has cancelled the call that took the task"));
}

std::optional<std::string> McpTasks::content(const std::string& id) const {
    auto found = held_.find(id);
    return found == held_.end() ? std::nullopt : std::optional(found->second->assignment.content);
}

// The model can't be interrupted, but its response does not count any more.
void McpTasks::taken_away(const std::string& id, const StatedKickReason& reason) {
    if (!ledger_.taken_away(id, reason.text())) return;
    Release ended;
    ended.reason = Release::Reason::ended;
    release_later(id, std::move(ended));
}

void McpTasks::release_later(const std::string& id, Release release) {
    auto held = held_.extract(id).mapped();
    releases_.spawn("releasing a task", release_task(std::move(held), std::move(release)));
}

asio::awaitable<void> McpTasks::release_task(std::shared_ptr<Held> held, Release release) {
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    held->kick_watch.reset();
    agents::AgentOptions options;
    options.name = held->name;
    options.session = &session_;
    auto sent = co_await agents::release_task(directory_, options, held->assignment, std::move(release));
    if (sent.has_error()) io::log::debug(held->name, ": ", sent.error().message);
}

asio::awaitable<void> McpTasks::close() {
    for (const std::string& id : ledger_.client_ended())
        release_later(id, handed_back("the client has ended"));
    co_await releases_.join();
    if (has_session_) co_await session_.close();
    background_.cancel();
    co_await background_.join();
}

}  // namespace pool_tools
