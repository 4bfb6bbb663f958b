#include "base/current_directory.hpp"
#include "base/text.hpp"
#include "commands.hpp"
#include "context.hpp"
#include "io/interruption.hpp"
#include "io/log.hpp"
#include "pool_client/submitter.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <iostream>

namespace troupe {

namespace asio = boost::asio;
namespace po = boost::program_options;
using pool_client::Transport;
using pool_protocol::Answer;

namespace {

constexpr int timeout_exit = 124;  // as timeout(1) has it

struct SubmitRequest {
    pool_protocol::PoolDirectory directory;
    std::optional<std::string> data;  // or:
    std::string path;                 // absolute
    Transport transport = Transport::automatic;
    std::optional<std::chrono::milliseconds> timeout;
};

base::Result<SubmitRequest> parse(const cli::Options& options, pool_protocol::PoolDirectory directory) {
    if (options.count("data") + options.count("file") != 1)
        throw po::error("give the task's content either with --data JSON or with --file PATH");
    SubmitRequest request;
    request.directory = std::move(directory);
    if (options.count("data") > 0) request.data = options["data"].as<std::string>();
    if (options.count("file") > 0) {
        auto path = base::absolute_path(options["file"].as<std::string>());
        if (path.has_error()) return base::with_context("--file", path.error());
        request.path = std::move(*path);
    }
    if (options.count("notify") > 0)
        request.transport =
            options["notify"].as<std::string>() == "file" ? Transport::file : Transport::socket;
    if (options.count("timeout-secs") > 0) request.timeout = seconds_option(options, "timeout-secs", false);
    return request;
}

int exit_code(const Answer& answer) {
    if (answer.kind == Answer::Kind::processed) return cli::ok;
    return answer.kind == Answer::Kind::timeout ? timeout_exit : cli::failure;
}

asio::awaitable<base::Result<Answer>> submit(pool_client::Submitter& submitter,
                                             std::shared_ptr<SubmitRequest> what) {
    if (what->data) return submitter.submit(pool_client::new_id(), *what->data);
    return submitter.submit_file(pool_client::new_id(), what->path);
}

// Without what is for a program that asks for it: who had the task, and what went wrong before a timeout.
int print(Answer answer) {
    answer.agent.clear();
    if (answer.kind == Answer::Kind::timeout) answer.text.clear();
    std::cout << to_json(answer) << std::endl;
    return std::cout ? exit_code(answer) : static_cast<int>(cli::io_error);
}

// What the daemon would answer at once, for which nobody has to wait for a daemon.
std::optional<Answer> refused(const SubmitRequest& what) {
    auto problem = what.data ? pool_protocol::content_problem(*what.data) : std::nullopt;
    return problem ? std::optional(Answer::invalid(std::move(*problem))) : std::nullopt;
}

asio::awaitable<int> run(asio::io_context& loop, std::shared_ptr<SubmitRequest> what) {
    io::DirectoryWatch watch(loop.get_executor());
    pool_client::SubmitterOptions options;
    options.transport = what->transport;
    options.on_outage = [](const std::string& message) { io::log::info(message); };
    pool_client::Submitter submitter(loop.get_executor(), watch, what->directory, options);
    // Each withdraws the request.
    io::Interruption interruption(loop.get_executor(), {SIGINT, SIGTERM, SIGHUP}, what->timeout);
    base::Result<Answer> answer = Answer::timeout();
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
    command.summary = "Submit a task, wait until an agent has done it, and print the answer.";
    command.details =
        "The answer is one JSON line on stdout: {\"kind\":\"Processed\",\"stdout\":\"…\"}, where stdout is "
        "what the "
        "agent wrote,\nor {\"kind\":\"NotProcessed\",\"reason\":…}: timeout, stopped, invalid (the task or "
        "its "
        "response was refused),\nagent_failed (an agent's command failed) or agent_lost (three agents died "
        "at work "
        "on it); the last three\nhave a \"message\".\n\n"
        "Examples:\n"
        "  troupe submit_task --data '{\"task\":{\"kind\":\"Review\",\"value\":{\"file\":\"main.cpp\"}}}'\n"
        "  troupe submit_task --file /tmp/task.json --notify file --timeout-secs 600\n"
        "\nExit codes: 0 processed; 124 timeout; 1 anything else that went wrong; 2 wrong usage; "
        "74 the answer can't be printed.\n";
    add_pool_option(command);
    command.options.add_options()("data", po::value<std::string>()->value_name("JSON"), "the task's content")(
        "file", po::value<std::string>()->value_name("PATH"), "a file with the content, read by the daemon")(
        "notify", po::value<std::string>()->value_name("WAY"),
        "socket: through the daemon's socket; file: through files, for sandboxes without sockets (default: "
        "socket, "
        "and file where the sandbox denies it)")(
        "timeout-secs", po::value<double>()->value_name("N"),
        "the longest wait in all; then the task is withdrawn (default: none)");
    command.values["file"] = cli::files();
    command.values["notify"] = cli::one_of({"socket", "file"});
    command.run = [](const cli::Options& options) {
        auto directory = pool_of(options);
        if (directory.has_error()) return fail(directory.error(), cli::usage);
        auto parsed = parse(options, *directory);
        if (parsed.has_error()) return fail(parsed.error(), cli::usage);
        auto request = std::make_shared<SubmitRequest>(std::move(*parsed));
        if (auto answer = refused(*request)) return print(std::move(*answer));
        return run_loop([=](asio::io_context& loop) { return run(loop, request); });
    };
    return command;
}

}  // namespace troupe
