#include "run_tools/session.hpp"

#include "base/text.hpp"
#include "config/schema_document.hpp"
#include "io/internal_error.hpp"
#include "run_tools/documents.hpp"
#include "run_tools/offer.hpp"

#include <boost/asio/this_coro.hpp>
#include <boost/system/system_error.hpp>

#include <exception>
#include <map>
#include <optional>
#include <unistd.h>
#include <utility>

namespace run_tools {

namespace asio = boost::asio;
using base::concat;
using mcp::Outcome;

namespace {

std::vector<std::string> options_of(const McpSettings& settings) {
    if (settings.root.empty()) return {};
    return {"--root=" + settings.root};
}

std::string argument_of(const mcp::GetPrompt& prompt, const std::string& name) {
    auto found = prompt.arguments.find(name);
    return found == prompt.arguments.end() ? "" : found->second;
}

std::string prompt_text(const mcp::GetPrompt& prompt) {
    if (prompt.name == "write_workflow") return write_workflow_prompt(argument_of(prompt, "goal"));
    return explain_failure_prompt(argument_of(prompt, "run"));
}

// The documents, which never change.
std::vector<mcp::Resource> documents() {
    std::vector<mcp::Resource> all{
        {std::string(mcp_reference_uri), "config-reference", "The config reference",
         "explains every field of a config", "text/markdown"},
        {std::string(mcp_schema_uri), "config-schema", "The JSON Schema of configs", "",
         "application/schema+json"}};
    for (const ExampleConfig& example : example_configs())
        all.push_back({concat(mcp_example_prefix, example.name), std::string(example.name), "",
                       example.description, "application/jsonc"});
    return all;
}

std::optional<mcp::ResourceText> document(const std::string& uri) {
    if (uri == mcp_reference_uri)
        return mcp::ResourceText{uri, "text/markdown", std::string(config_reference())};
    if (uri == mcp_schema_uri)
        return mcp::ResourceText{uri, "application/schema+json", config::schema_document()};
    for (const ExampleConfig& example : example_configs())
        if (uri == concat(mcp_example_prefix, example.name))
            return mcp::ResourceText{uri, "application/jsonc", std::string(example.text)};
    return std::nullopt;
}

bool is_run(std::string_view uri) {
    return uri.starts_with(mcp_run_prefix) && uri.find(mcp_task_part) == std::string_view::npos;
}

}  // namespace

McpSession::McpSession(asio::any_io_executor executor, McpSettings settings)
    : settings_(std::move(settings)),
      context_(executor, settings_.root),
      workflows_(settings_.allowed, options_of(settings_)),
      runs_(context_, settings_.allowed, settings_.root),
      server_(executor, offer(),
              {[this](mcp::Start call) { return carry_out(std::move(call)); }, [](mcp::CallId) {},
               [this](const std::set<std::string>& uris) { watch(uris); }}),
      watch_changed_(executor),
      background_(executor, io::end_process) {}

mcp::Offer McpSession::offer() {
    mcp::Offer offer = mcp_offer(settings_.allowed.paths(), settings_.allows_answers);
    offer.is_subscribable = [this](std::string_view uri) { return is_run(uri) && runs_.version_of(uri) > 0; };
    return offer;
}

asio::awaitable<base::Result<void>> McpSession::run() {
    background_.spawn("watching the runs", context_.runs.run());
    background_.spawn("notifying of changes", notify_changes());
    base::Result<void> served;
    std::exception_ptr ended;
    try {
        served = co_await server_.run(STDIN_FILENO, STDOUT_FILENO);
    } catch (const boost::system::system_error&) {
        ended = std::current_exception();
    }
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    background_.cancel();
    co_await background_.join();
    co_await context_.followers.stop();
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
        outcome = mcp::PromptText{prompt_text(*prompt)};
    } else if (auto* begun = std::get_if<mcp::Complete>(&call.what)) {
        outcome = complete(*begun);
    } else {
        outcome = list();
    }
    co_return outcome;
}

asio::awaitable<Outcome> McpSession::use_tool(mcp::Start call) {
    auto& what = std::get<mcp::CallTool>(call.what);
    const std::string& name = what.name;
    std::string& arguments = what.arguments;
    if (name == "validate_workflow") co_return workflows_.validate(arguments);
    if (name == "dry_run_workflow") co_return co_await workflows_.dry_run(std::move(arguments));
    if (name == "draw_workflow") co_return co_await draw(std::move(arguments));
    if (name == "start_run") co_return co_await workflows_.start(std::move(arguments));
    if (name == "list_runs") co_return runs_.list(arguments);
    if (name == "run_status") co_return co_await runs_.status(std::move(arguments));
    if (name == "wait_run") co_return co_await runs_.wait(std::move(arguments), server_, call.id);
    if (name == "cancel_run") co_return co_await runs_.cancel(std::move(arguments));
    if (name == "pause_run") co_return co_await runs_.change("pause", std::move(arguments));
    if (name == "continue_run") co_return co_await runs_.change("continue", std::move(arguments));
    if (name == "retry_run") co_return co_await runs_.retry(std::move(arguments));
    if (name == "list_tasks") co_return co_await runs_.list_tasks(std::move(arguments));
    if (name == "read_task") co_return co_await runs_.read_task(std::move(arguments));
    if (name == "read_logs") co_return co_await runs_.read_logs(std::move(arguments));
    if (name == "list_failures") co_return co_await runs_.list_failures(std::move(arguments));
    co_return co_await runs_.answer(std::move(arguments));
}

asio::awaitable<Outcome> McpSession::draw(std::string arguments) {
    Outcome outcome = co_await workflows_.draw(std::move(arguments));
    server_.resource_list_changed();
    co_return outcome;
}

asio::awaitable<Outcome> McpSession::read(std::string uri) {
    if (uri.starts_with(mcp_run_prefix)) co_return co_await runs_.read(std::move(uri));
    Outcome outcome = mcp::NotFound{uri, "resources/list lists those that there are"};
    if (auto text = document(uri)) outcome = std::move(*text);
    for (const mcp::ResourceText& drawing : workflows_.drawings())
        if (drawing.uri == uri) outcome = drawing;
    co_return outcome;
}

Outcome McpSession::list() {
    mcp::ResourceList all{documents()};
    for (const mcp::ResourceText& drawing : workflows_.drawings())
        all.resources.push_back({drawing.uri, drawing.uri.substr(mcp_drawing_prefix.size()), "",
                                 "a picture that draw_workflow has made", drawing.mime_type});
    for (mcp::Resource& run : runs_.resources())
        all.resources.push_back(std::move(run));
    return all;
}

Outcome McpSession::complete(const mcp::Complete& what) {
    mcp::Completion found;
    if (what.argument == "run") found.values = runs_.ids(what.value);
    if (what.argument == "name")
        for (const ExampleConfig& example : example_configs())
            if (example.name.starts_with(what.value)) found.values.emplace_back(example.name);
    return found;
}

void McpSession::watch(std::set<std::string> uris) {
    watched_ = std::move(uris);
    watch_changed_.ring();
}

asio::awaitable<void> McpSession::notify_changes() {
    std::map<std::string, std::uint64_t> notified;  // the version of each run, 0 if there is none
    while (true) {
        std::optional<io::Bells::Watch> watch;
        if (!watched_.empty()) watch = context_.runs.watch(watch_changed_);
        std::map<std::string, std::uint64_t> versions;
        for (const std::string& uri : watched_) {
            versions[uri] = runs_.version_of(uri);
            auto before = notified.find(uri);
            if (before != notified.end() && before->second != versions[uri]) server_.resource_updated(uri);
        }
        notified = std::move(versions);
        co_await watch_changed_.wait();
    }
}

}  // namespace run_tools
