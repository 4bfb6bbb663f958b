#include "base/current_directory.hpp"
#include "base/exit_code.hpp"
#include "base/number.hpp"
#include "base/text.hpp"
#include "cli/option_table.hpp"
#include "commands.hpp"
#include "context.hpp"
#include "io/directory.hpp"
#include "io/interruption.hpp"
#include "io/log.hpp"
#include "json/json.hpp"
#include "pool_client/submitter.hpp"
#include "pool_protocol/messages.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/program_options/errors.hpp>

#include <csignal>
#include <iostream>

namespace troupe {

namespace asio = boost::asio;
namespace po = boost::program_options;
using pool_client::Transport;
using pool_protocol::Answer;

namespace {

constexpr const char* submit_task_details =
    R"(The answer is one line of JSON on stdout: {"kind":"Processed","stdout":"…"}, where stdout is the agent's response, or
{"kind":"NotProcessed","reason":…}: timeout, stopped, invalid (the task or its response was refused), agent_failed (the
command of an agent failed) or agent_lost (three agents died while they worked on it). The last three have a "message".

Examples:
  troupe submit_task --data '{"task":{"kind":"Review","value":{"file":"main.cpp"}}}'
  troupe submit_task --file /tmp/task.json --notify file --timeout-secs 600
  troupe submit_task --data '"train"' --label gpu --label linux --priority 5

Exit codes: 0 processed; 124 timeout; 1 not processed for another reason; 2 the command line is invalid; 74 the answer
cannot be printed.
)";

constexpr int timeout_exit = 124;  // as timeout(1) has it

struct SubmitTaskArguments {
    std::optional<std::string> data;
    std::optional<std::string> file;
    Transport transport = Transport::automatic;
    std::optional<std::chrono::milliseconds> timeout;
    std::vector<std::string> labels;
    std::optional<std::string> response_schema;
    std::int32_t priority = 0;
};

const cli::OptionTable<SubmitTaskArguments>& submit_task_option_table() {
    using cli::into;
    static const cli::OptionTable<SubmitTaskArguments> table{
        {pool_option(), {}},
        {{"data", cli::text("JSON", "JSON text in quotes"), "the task's content"},
         into(&SubmitTaskArguments::data)},
        {{"file", cli::file("PATH", "the path of a file with JSON"),
          "a file with the content, read by the daemon"},
         into(&SubmitTaskArguments::file)},
        {{"notify", cli::choice("WAY", {{"socket"}, {"file", "for sandboxes without sockets"}}),
          "how to reach the daemon; by default the socket, and files if the sandbox denies the socket"},
         [](SubmitTaskArguments& arguments, const std::string& way) {
             arguments.transport = way == "file" ? Transport::file : Transport::socket;
         }},
        {{"timeout-secs", cli::seconds("N", cli::Zero::refused),
          "the time limit for everything; then the task is withdrawn (default: none)"},
         into(&SubmitTaskArguments::timeout)},
        {label_option("a label that the agent must have. May be repeated; the agent must have all of them"),
         into(&SubmitTaskArguments::labels)},
        {{"priority",
          cli::whole_number("N", -pool_protocol::max_priority, pool_protocol::max_priority).with_default("0"),
          "tasks of a higher priority leave the queue first"},
         [](SubmitTaskArguments& arguments, const std::string& number) {
             arguments.priority = *base::parse_number<std::int32_t>(number);
         }},
        {{"response-schema",
          cli::file("FILE|JSON", "the path of a file with a JSON Schema, or its text: an object"),
          "the JSON Schema of the response, for agents that want it. The daemon does not check responses"},
         into(&SubmitTaskArguments::response_schema)}};
    return table;
}

struct SubmitRequest {
    pool_protocol::PoolDirectory directory;
    std::optional<std::string> data;  // or:
    std::string path;                 // absolute
    Transport transport = Transport::automatic;
    std::optional<std::chrono::milliseconds> timeout;
    pool_client::SubmitTraits traits;
};

constexpr std::size_t largest_schema = std::size_t{1} << 20;

// The text of the schema, from a file unless the argument is an object's text.
base::Result<std::string> read_schema(const std::string& argument) {
    std::size_t first = argument.find_first_not_of(" \t\r\n");
    if (first != std::string::npos && argument[first] == '{') return argument;
    auto path = base::absolute_path(argument);
    if (path.has_error()) return path.error();
    return io::read_regular_file(*path, largest_schema, io::TrustedOwner::not_required);
}

base::Result<std::string> schema_of(const SubmitTaskArguments& arguments) {
    constexpr std::string_view option = "--response-schema";
    if (!arguments.response_schema) return std::string();
    auto text = read_schema(*arguments.response_schema);
    if (text.has_error()) return base::with_context(option, text.error());
    auto schema = json::parse(*text, option);
    if (schema.has_error()) return schema.error();
    if (!schema->is(json::Kind::object)) return base::invalid(base::concat(option, " must be a JSON object"));
    return json::compact(*schema);
}

base::Result<SubmitRequest> parse(SubmitTaskArguments arguments, pool_protocol::PoolDirectory directory) {
    if (arguments.data.has_value() == arguments.file.has_value())
        throw po::error("give the task's content either with --data JSON or with --file PATH");
    auto labels = labels_of(arguments.labels);
    if (labels.has_error()) return labels.error();
    auto schema = schema_of(arguments);
    if (schema.has_error()) return schema.error();
    SubmitRequest request{std::move(directory),
                          std::move(arguments.data),
                          "",
                          arguments.transport,
                          arguments.timeout,
                          pool_client::SubmitTraits(std::move(*labels), std::move(*schema))};
    request.traits.priority = arguments.priority;
    if (arguments.file) {
        auto path = base::absolute_path(*arguments.file);
        if (path.has_error()) return base::with_context("--file", path.error());
        request.path = std::move(*path);
    }
    return request;
}

int exit_code(const Answer& answer) {
    if (std::holds_alternative<pool_protocol::Processed>(answer)) return base::ExitCode::ok;
    return std::holds_alternative<pool_protocol::TimedOut>(answer) ? timeout_exit : base::ExitCode::failure;
}

asio::awaitable<base::Result<Answer>> submit(pool_client::Submitter& submitter,
                                             std::shared_ptr<SubmitRequest> what) {
    if (what->data) return submitter.submit(pool_client::new_id(), *what->data, what->traits);
    return submitter.submit_file(pool_client::new_id(), what->path, what->traits);
}

int print(Answer answer) {
    pool_protocol::leave_out_agent(answer);
    std::cout << to_json(answer) << std::endl;
    return std::cout ? exit_code(answer) : static_cast<int>(base::ExitCode::io_error);
}

// The refusal with which the daemon would answer at once: nobody has to wait for a daemon to get it.
std::optional<Answer> refused(const SubmitRequest& what) {
    auto problem = what.data ? pool_protocol::content_problem(*what.data) : std::nullopt;
    if (!problem) return std::nullopt;
    return pool_protocol::Invalid{std::move(*problem)};
}

asio::awaitable<int> run(asio::io_context& loop, std::shared_ptr<SubmitRequest> what) {
    io::DirectoryWatch watch(loop.get_executor());
    pool_client::SubmitterOptions options;
    options.transport = what->transport;
    options.on_outage = [](const std::string& message) { io::log::info(message); };
    options.on_unmatched = [](const std::string& message) { io::log::warn(message); };
    pool_client::Submitter submitter(loop.get_executor(), watch, what->directory, options);
    // Each of these signals withdraws the request.
    io::Interruption interruption(loop.get_executor(), {SIGINT, SIGTERM, SIGHUP}, what->timeout);
    base::Result<Answer> answer = pool_protocol::TimedOut{};
    try {
        answer =
            co_await asio::co_spawn(loop, submit(submitter, what),
                                    asio::bind_cancellation_slot(interruption.slot(), asio::use_awaitable));
    } catch (const boost::system::system_error&) {
        if (!interruption.happened()) throw;
    }
    interruption.cancel();
    co_await submitter.shutdown();
    if (interruption.happened() && interruption.signal_number() != 0)
        co_return 128 + interruption.signal_number();
    if (answer.has_error()) co_return fail(answer.error());
    co_return print(std::move(*answer));
}

}  // namespace

cli::Command submit_task_command() {
    cli::Command command;
    command.name = "submit_task";
    command.summary = "Submit a task, wait for the answer, and print it.";
    command.details = submit_task_details;
    command.options = cli::options_of(submit_task_option_table());
    command.run = [](const cli::Options& options) {
        auto directory = pool_of(options);
        if (directory.has_error()) return fail(directory.error(), base::ExitCode::usage);
        auto parsed = parse(cli::read(submit_task_option_table(), options), *directory);
        if (parsed.has_error()) return fail(parsed.error(), base::ExitCode::usage);
        auto request = std::make_shared<SubmitRequest>(std::move(*parsed));
        if (auto answer = refused(*request)) return print(std::move(*answer));
        return run_loop([=](asio::io_context& loop) { return run(loop, request); });
    };
    return command;
}

}  // namespace troupe
