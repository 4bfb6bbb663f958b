#include "pool_tools/session.hpp"

#include "base/text.hpp"
#include "json/json.hpp"
#include "json_schema/schema.hpp"
#include "mcp/waiting.hpp"
#include "pool_client/status_query.hpp"
#include "pool_protocol/messages.hpp"
#include "pool_tools/offer.hpp"
#include "pool_tools/results.hpp"

#include <boost/asio/this_coro.hpp>

#include <chrono>
#include <unistd.h>

namespace pool_tools {

namespace asio = boost::asio;
using mcp::Outcome;

namespace {

constexpr std::chrono::seconds status_time{5};

// What is wrong with the schema of a response; empty if nothing is, or if there is none.
std::string schema_problem(const std::string& schema) {
    if (schema.empty()) return "";
    if (schema.front() != '{') return "must be an object.";
    auto compiled = json_schema::Schema::compile(json::View::of(schema));
    return compiled.has_value() ? ""
                                : base::concat("is not a valid JSON Schema: ", compiled.error().message, ".");
}

}  // namespace

McpSession::McpSession(asio::any_io_executor executor, io::DirectoryWatch& watch,
                       pool_protocol::PoolDirectory directory, McpTasks::Settings settings)
    : executor_(executor),
      directory_(directory),
      tasks_(executor, watch, directory, std::move(settings)),
      submissions_(executor, watch, directory),
      server_(executor, mcp_offer(directory.pool),
              {[this](mcp::Start call) { return carry_out(std::move(call)); },
               [this](mcp::CallId call) { tasks_.unheard(call); }, [](const std::set<std::string>&) {}}) {}

asio::awaitable<base::Result<void>> McpSession::run() {
    base::Result<void> served;
    std::exception_ptr ended;
    try {
        served = co_await server_.run(STDIN_FILENO, STDOUT_FILENO);
    } catch (const boost::system::system_error&) {
        ended = std::current_exception();
    }
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    co_await tasks_.close();
    if (ended) std::rethrow_exception(ended);
    co_return served;
}

asio::awaitable<Outcome> McpSession::carry_out(mcp::Start call) {
    Outcome outcome = mcp::InternalError{"unknown call"};
    if (std::holds_alternative<mcp::CallTool>(call.what)) {
        outcome = co_await use_tool(std::move(call));
    } else if (auto* resource = std::get_if<mcp::ReadResource>(&call.what)) {
        outcome = co_await read(std::move(resource->uri));
    } else if (auto* prompt = std::get_if<mcp::GetPrompt>(&call.what)) {
        auto count = prompt->arguments.find("count");
        outcome = mcp::PromptText{be_an_agent(count == prompt->arguments.end() ? "" : count->second)};
    } else if (auto* begun = std::get_if<mcp::Complete>(&call.what)) {
        outcome = complete(*begun);
    } else {
        outcome = list();
    }
    co_return outcome;
}

asio::awaitable<Outcome> McpSession::use_tool(mcp::Start call) {
    const auto& what = std::get<mcp::CallTool>(call.what);
    mcp::Arguments arguments(what.arguments);
    Outcome outcome = mcp::ToolFailure();
    if (what.name == "next_task" || what.name == "wait_task") {
        std::chrono::seconds wait = mcp::wait_in(arguments);
        bool takes = what.name == "next_task";
        std::string id = takes ? arguments.text("id", "") : arguments.required_text("id");
        mcp::Waiting waiting(executor_, server_, call.id, wait);
        if (!arguments.mistakes().empty())
            outcome = mcp::ToolFailure{arguments.mistakes()};
        else if (takes && !id.empty())
            outcome = tasks_.again(call.id, id);
        else if (takes)
            outcome = co_await tasks_.next(call.id, call.client, wait);
        else
            outcome = co_await submissions_.wait(id, wait);
    } else if (what.name == "pool_status") {
        outcome = co_await pool_status();
    } else {
        outcome = use_quick_tool(what.name, arguments);
    }
    co_return outcome;
}

Outcome McpSession::use_quick_tool(const std::string& name, mcp::Arguments& arguments) {
    if (name == "submit_task") return submit(arguments);
    std::string id = arguments.required_text("id");
    std::string reason = name == "give_back_task" ? arguments.required_text("reason") : "";
    std::string response = arguments.json("response");
    std::string missing = name == "finish_task" && response.empty() ? "`response` is required." : "";
    if (!arguments.mistakes().empty() || !missing.empty())
        return mcp::ToolFailure{arguments.mistakes().empty() ? missing : arguments.mistakes()};
    if (name == "finish_task") return tasks_.finish(id, response);
    if (name == "give_back_task") return tasks_.give_back(id, std::move(reason));
    if (name == "keep_alive") return tasks_.keep_alive(id);
    return submissions_.withdraw(id);
}

Outcome McpSession::submit(mcp::Arguments& arguments) {
    std::string content = arguments.inner_json("content");
    auto labels = base::Labels::of(arguments.texts("labels"));
    std::int64_t priority =
        arguments.integer("priority", -pool_protocol::max_priority, pool_protocol::max_priority, 0);
    std::string schema = arguments.inner_json("response_schema");
    if (schema == "null") schema.clear();
    if (content.empty()) return mcp::ToolFailure{"`content` is required."};
    if (!arguments.mistakes().empty()) return mcp::ToolFailure{arguments.mistakes()};
    if (labels.has_error()) return mcp::ToolFailure{base::concat("`labels`: ", labels.error().message)};
    if (auto problem = schema_problem(schema); !problem.empty())
        return mcp::ToolFailure{base::concat("`response_schema` ", problem)};
    if (auto problem = pool_protocol::content_problem(content))
        return mcp::ToolFailure{base::concat("`content`: ", *problem)};
    pool_protocol::Request request(std::nullopt, pool_protocol::Inline{std::move(content)});
    request.wants_agent = true;
    request.wants_failures = true;
    request.labels = std::move(*labels);
    request.response_schema = std::move(schema);
    request.priority = static_cast<std::int32_t>(priority);
    return submissions_.submit(std::move(request));
}

asio::awaitable<Outcome> McpSession::pool_status() {
    auto text = co_await pool_client::ask_status(directory_, status_time, pool_client::AskedHosts::all);
    Outcome outcome = mcp::ToolFailure();
    auto status = text.has_value() ? pool_protocol::parse_status(*text) : text.error();
    if (status.has_error())
        outcome = mcp::ToolFailure{status.error().message};
    else
        outcome = mcp::ToolResult{status_result(*status, tasks_.held()), {}};
    co_return outcome;
}

asio::awaitable<Outcome> McpSession::read(std::string uri) {
    Outcome outcome = mcp::NotFound{uri};
    if (uri == mcp_status_uri) {
        auto text = co_await pool_client::ask_status(directory_, status_time, pool_client::AskedHosts::all);
        if (text.has_value())
            outcome = mcp::ResourceText{uri, "application/json", std::move(*text)};
        else
            outcome = mcp::InternalError{text.error().message};
    } else if (uri.starts_with(mcp_task_prefix)) {
        std::string id = uri.substr(mcp_task_prefix.size());
        auto text = tasks_.content(id);
        if (!text) text = submissions_.answer_text(id);
        if (text) outcome = mcp::ResourceText{uri, "text/plain", std::move(*text)};
    }
    co_return outcome;
}

Outcome McpSession::list() const {
    mcp::ResourceList all;
    all.resources.push_back({std::string(mcp_status_uri), "status", "The pool's status",
                             "who works at what, what waits, and how long", "application/json"});
    for (const std::string& id : tasks_.held())
        all.resources.push_back(
            {base::concat(mcp_task_prefix, id), id, "", "a task that you have taken", "text/plain"});
    return all;
}

Outcome McpSession::complete(const mcp::Complete& what) const {
    mcp::Completion found;
    if (what.argument == "id")
        for (const std::string& id : tasks_.held())
            if (id.starts_with(what.value)) found.values.push_back(id);
    return found;
}

}  // namespace pool_tools
