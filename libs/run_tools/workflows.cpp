#include "run_tools/workflows.hpp"

#include "base/current_directory.hpp"
#include "base/limits.hpp"
#include "base/plain_number.hpp"
#include "base/text.hpp"
#include "config/description.hpp"
#include "config/graph.hpp"
#include "config/warnings.hpp"
#include "json/json.hpp"
#include "mcp/excerpt.hpp"
#include "process/own_command.hpp"
#include "run_tools/offer.hpp"
#include "run_tools/results.hpp"
#include "run_tools/words.hpp"
#include "runs/run_reference.hpp"

#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/system/errc.hpp>

#include <algorithm>
#include <chrono>

namespace run_tools {

namespace asio = boost::asio;
using base::concat;
using json::quote;
using json::View;
using mcp::Outcome;

namespace {

// How long a command may take that a call runs: no call may last longer than 45 s.
constexpr std::chrono::seconds command_limit{40};
// The longest text that becomes an argument of a command, for which Linux has a limit of 128 KiB.
constexpr std::size_t longest_config = 100'000;
constexpr std::size_t longest_problem = 1'000;
constexpr std::size_t drawings_kept = 20;
constexpr std::int64_t most_jobs = 1000;
constexpr std::int64_t most_tasks = 1'000'000'000;

// A link of this text of a config to a file that is not below an allowed directory. A config in a file may
// link to any file, as its author could read it; what the model has written here must not show it others.
std::optional<std::string> link_outside(const AllowedDirectories& allowed, View value) {
    if (value.is(json::Kind::array))
        for (View element : value.elements())
            if (auto outside = link_outside(allowed, element)) return outside;
    if (!value.is(json::Kind::object)) return std::nullopt;
    for (const json::Member& member : value.members()) {
        bool may_link = member.key.is_string("value_schema") || member.key.is_string("instructions");
        auto link = may_link ? member.value.find("link") : std::nullopt;
        if (link && link->is(json::Kind::string))
            if (auto found = allowed.check(link->string()); !found) return found.error().message;
        if (auto outside = link_outside(allowed, member.value)) return outside;
    }
    return std::nullopt;
}

// A text that is not JSON has mistakes, which are reported later.
std::optional<std::string> link_outside(const AllowedDirectories& allowed, std::string_view text) {
    auto root = json::checked(text, json::Dialect::jsonc);
    return root.has_value() ? link_outside(allowed, *root) : std::nullopt;
}

// "claude", "codex=3": kinds without settings, because those of others are commands to execute.
bool is_agent(std::string_view text) {
    std::size_t end = std::min(text.find('='), text.size());
    std::string_view kind = text.substr(0, end);
    if (kind != "claude" && kind != "codex" && kind != "gemini") return false;
    if (end == text.size()) return true;
    std::string_view count = text.substr(end + 1);
    return !count.empty() && count.size() <= 3 && count.front() != '0' &&
           std::ranges::all_of(count, [](char c) { return c >= '0' && c <= '9'; });
}

void add_text(std::vector<std::string>& options, mcp::Arguments& arguments, std::string_view name,
              std::string_view option) {
    std::string text = arguments.text(name, "");
    if (!text.empty()) options.push_back(concat("--", option, "=", text));
}

void add_json(std::vector<std::string>& options, mcp::Arguments& arguments, std::string_view name,
              std::string_view option) {
    std::string text = arguments.inner_json(name);
    if (text.empty() || text == "null") return;
    if (text.size() > longest_config)
        arguments.mistake(name, concat("is longer than ", longest_config,
                                       " bytes; write it to a file, which "
                                       "a step of the workflow reads"));
    options.push_back(concat("--", option, "=", text));
}

void add_integer(std::vector<std::string>& options, mcp::Arguments& arguments, std::string_view name,
                 std::string_view option, std::int64_t most) {
    if (auto number = arguments.integer(name, 1, most, 0); number > 0)
        options.push_back(concat("--", option, "=", number));
}

// A run without any task ends at once, and seems to have done its work.
std::string warning_member(mcp::Arguments& arguments) {
    std::string tasks = arguments.inner_json("initial_state");
    return tasks == "[]"
               ? mcp_member("warning", "`initial_state` is empty: the run has no task, and ends at once")
               : "";
}

// Whether it may have been meant as a path: what has several lines, or a brace, is a text.
bool may_be_path(std::string_view config) {
    constexpr std::size_t longest_path = 1'000;
    return config.size() <= longest_path && config.find_first_of("{\n") == std::string_view::npos;
}

Outcome workflow_result(std::string object) {
    return mcp::ToolResult{std::move(object), {}};
}

}  // namespace

std::vector<std::string> mcp_run_options(mcp::Arguments& arguments) {
    std::vector<std::string> options;
    add_json(options, arguments, "entrypoint_value", "entrypoint-value");
    add_json(options, arguments, "initial_state", "initial-state");
    if (options.size() > 1)
        arguments.mistake("entrypoint_value",
                          "and `initial_state` cannot both be given: each says with which "
                          "tasks the run begins");
    for (const std::string& agent : arguments.texts("agents")) {
        if (!is_agent(agent))
            arguments.mistake("agents",
                              "must be claude, codex or gemini, each with a number if there are "
                              "several, as in claude=3; others belong into the config");
        options.push_back(concat("--agent=", agent));
    }
    add_text(options, arguments, "pool", "pool");
    add_text(options, arguments, "reuse", "reuse");
    if (std::string name = arguments.text("name", ""); !name.empty()) {
        if (!runs::is_name(name)) arguments.mistake("name", runs::name_rule);
        options.push_back("--name=" + name);
    }
    add_integer(options, arguments, "jobs", "jobs", most_jobs);
    add_integer(options, arguments, "max_tasks", "max-tasks", most_tasks);
    if (std::string usd = arguments.json("budget_usd"); !usd.empty() && usd != "null") {
        auto value = json::View::of(usd);
        bool is_right = value.is(json::Kind::number) && value.number() >= base::least_dollars &&
                        value.number() <= base::most_dollars;
        if (!is_right)
            arguments.mistake("budget_usd", base::concat("must be a number of dollars from ",
                                                         base::plain_number(base::least_dollars), " to ",
                                                         base::plain_number(base::most_dollars)));
        options.push_back(concat("--budget-usd=", usd));
    }
    return options;
}

McpWorkflows::Checked McpWorkflows::check(mcp::Arguments& arguments, bool must_be_file) const {
    Checked checked;
    std::string given = arguments.json("config");
    bool is_object = given.starts_with('{');
    std::string text = is_object ? given : arguments.required_text("config");
    bool is_text = is_object || config::is_text(text);
    if (!is_text && !text.empty() && !may_be_path(text))
        arguments.mistake(
            "config",
            "is neither the path of a file nor the text of a config as JSONC, which begins with "
            "{ or a comment; leave out what is around it, such as the ``` of Markdown");
    if (is_text && must_be_file)
        arguments.mistake("config",
                          "must be the path of a file here: write the config to one below an "
                          "allowed directory first");
    if (!arguments.mistakes().empty()) {
        checked.refusal = mcp::ToolFailure{arguments.mistakes()};
    } else if (auto outside = is_text ? link_outside(allowed_, text) : std::nullopt) {
        checked.refusal = mcp::ToolFailure{concat("`config`: ", *outside)};
    } else if (is_text) {
        auto directory = base::current_directory();
        checked.argument = text;
        checked.loaded =
            config::load_text(text, std::string(config::inline_name), directory ? *directory : "/");
        checked.loaded.text = text;
    } else if (auto path = allowed_.config(text)) {
        checked.argument = *path;
        checked.loaded = config::load(*path);
    } else {
        constexpr std::string_view text_hint = "; the text of a config begins with {";
        bool is_missing = path.error().code == boost::system::errc::no_such_file_or_directory;
        checked.refusal = mcp::ToolFailure{
            concat("`config`: ", path.error().message, is_missing && !must_be_file ? text_hint : "")};
    }
    if (!checked.refusal && !checked.loaded.config)
        checked.refusal = workflow_result(invalid_result(checked.loaded.problems));
    return checked;
}

Outcome McpWorkflows::validate(const std::string& given) const {
    mcp::Arguments arguments(given);
    Checked checked = check(arguments, false);
    if (checked.refusal) return std::move(*checked.refusal);
    const config::LoadResult& loaded = checked.loaded;
    return workflow_result(valid_result(config::warnings(*loaded.config, loaded.text, loaded.name),
                                        config::transitions(*loaded.config)));
}

asio::awaitable<Outcome> McpWorkflows::dry_run(std::string given) const {
    mcp::Arguments arguments(given);
    std::vector<std::string> command{"run", "--dry-run"};
    command.insert(command.end(), options_.begin(), options_.end());
    for (std::string& option : mcp_run_options(arguments))
        command.push_back(std::move(option));
    Checked checked = check(arguments, false);
    if (checked.refusal) co_return std::move(*checked.refusal);
    std::string warning = warning_member(arguments);
    Outcome outcome = mcp::ToolFailure{"The text of the config is too long here: write it to a file."};
    if (checked.argument.size() > longest_config) co_return outcome;
    command.push_back("--config=" + checked.argument);
    auto done = co_await process::run_own_command(std::move(command), command_limit);
    if (done.succeeded())
        outcome = workflow_result(concat(R"({"kind":"Plan","plan":)",
                                         quote(mcp::excerpt(process::without_end(done.output), mcp_room)),
                                         warning, "}"));
    else
        outcome = mcp::ToolFailure{in_tool_words(process::failure_message("run", done))};
    co_return outcome;
}

std::string McpWorkflows::keep_drawing(std::string_view name, std::string mime_type, std::string text) {
    std::string uri = concat(mcp_drawing_prefix, drawn_, "/", name);
    drawings_.push_back({uri, std::move(mime_type), std::move(text)});
    if (drawings_.size() > drawings_kept) drawings_.pop_front();
    return uri;
}

asio::awaitable<Outcome> McpWorkflows::draw(std::string given) {
    mcp::Arguments arguments(given);
    Checked checked = check(arguments, false);
    if (checked.refusal) co_return std::move(*checked.refusal);
    ++drawn_;
    std::string graph = config::mermaid_graph(*checked.loaded.config);
    std::string shown = quote(mcp::excerpt(graph, mcp_room));
    std::string members = concat(R"({"kind":"Drawing","mermaid":)", shown);
    if (json::quoted_size(graph) > mcp_room)
        members += mcp_member("mermaid_uri", keep_drawing("graph.mmd", "text/vnd.mermaid", graph));
    mcp::ToolResult drawing;
    process::ChildResult done;
    std::string problem = "the text of the config is too long for it: write it to a file";
    if (checked.argument.size() <= longest_config) {
        std::vector<std::string> command{"config", "graph", "--format=svg", "--config=" + checked.argument};
        done = co_await process::run_own_command(std::move(command), command_limit);
        problem = done.succeeded() ? "" : process::failure_message("config graph", done);
    }
    if (problem.empty()) {
        std::string uri = keep_drawing("graph.svg", "image/svg+xml", std::move(done.output));
        members += mcp_member("svg_uri", uri);
        drawing.links.push_back({uri, "graph.svg", "The workflow as a picture", "", "image/svg+xml"});
    }
    members += mcp_member("svg_problem", mcp::excerpt(problem, longest_problem));
    drawing.object = members + "}";
    co_return drawing;
}

asio::awaitable<Outcome> McpWorkflows::start(std::string given) const {
    mcp::Arguments arguments(given);
    std::vector<std::string> command{"run", "--detach"};
    command.insert(command.end(), options_.begin(), options_.end());
    for (std::string& option : mcp_run_options(arguments))
        command.push_back(std::move(option));
    Checked checked = check(arguments, true);
    if (checked.refusal) co_return std::move(*checked.refusal);
    command.push_back("--config=" + checked.argument);
    // A run is started whole or not at all.
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    auto done = co_await process::run_own_command(std::move(command), command_limit);
    Outcome outcome = mcp::ToolFailure{in_tool_words(process::failure_message("run", done))};
    if (done.succeeded())
        outcome =
            workflow_result(concat(R"({"kind":"Started","run":)", quote(process::without_end(done.output)),
                                   warning_member(arguments), "}"));
    co_return outcome;
}

}  // namespace run_tools
