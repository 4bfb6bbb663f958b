#include "base/text.hpp"
#include "cli/option_table.hpp"
#include "commands.hpp"
#include "context.hpp"
#include "io/log.hpp"
#include "io/service_manager.hpp"
#include "io/task_group.hpp"
#include "json/json.hpp"
#include "pool_daemon/daemon.hpp"
#include "stop_pool.hpp"

#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <iostream>

namespace troupe {

namespace asio = boost::asio;

namespace {

constexpr const char* details = R"(Examples:
  troupe start
  troupe start --pool reviews --task-timeout-secs 600
  troupe --root /run/user/1000/troupe start --json

Under systemd, the daemon reports when it is ready, feeds the watchdog, and uses a socket that systemd has opened for it;
see docs/deployment.md.

Exit codes: 0 it was stopped; 1 the pool cannot be served (for example because another daemon serves it); 2 the command
line is invalid.
)";

struct Arguments {
    pool_daemon::Options daemon;
    bool json = false;
    bool stop_first = false;
};

template<class Member>
cli::Set<Arguments> into_daemon(Member pool_daemon::Options::*member) {
    return [member](Arguments& arguments, const std::string& text) {
        cli::convert(text, arguments.daemon.*member);
    };
}

const cli::OptionTable<Arguments>& option_table() {
    using cli::into;
    static const cli::Set<Arguments> without_heartbeats = [](Arguments& arguments, const std::string&) {
        arguments.daemon.heartbeats = false;
    };
    static const cli::OptionTable<Arguments> table{
        {pool_option(), {}},
        {{"json", cli::none(), "print {\"id\":\"POOL\"} on stdout once the pool is served"},
         into(&Arguments::json)},
        {{"idle-timeout-secs", cli::seconds("N", cli::Zero::refused).with_default("180"),
          "after this time without a task, an agent gets a heartbeat, to which it must respond within the "
          "same time"},
         into_daemon(&pool_daemon::Options::idle_timeout)},
        {{"task-timeout-secs", cli::seconds("N", cli::Zero::allowed).with_default("86400"),
          "the time limit of tasks that name none; 0 for no limit"},
         into_daemon(&pool_daemon::Options::task_timeout)},
        {{"no-heartbeat", cli::none(), "send no heartbeats"}, without_heartbeats},
        {{"no-periodic-heartbeat", cli::none(), "the same as --no-heartbeat"}, without_heartbeats},
        {{"no-initial-heartbeat", cli::none(), "accepted and without effect: a new agent gets no heartbeat"},
         {}},
        {{"preserve-dirs", cli::none(), "accepted and without effect: directories are always kept"}, {}},
        {{"stop", cli::none(), "stop the daemon that serves the pool, and take its place"},
         into(&Arguments::stop_first)},
        {{"max-message-bytes", cli::whole_number("N", 1).with_default(std::to_string(std::int64_t{64} << 20)),
          "the size limit of requests, tasks and responses"},
         into_daemon(&pool_daemon::Options::max_message_bytes)}};
    return table;
}

// Tells systemd, which asks for it by its watchdog, that the loop still turns, and how the pool is.
asio::awaitable<void> feed_watchdog(const io::ServiceManager& systemd, const pool_daemon::Daemon& daemon) {
    asio::steady_timer timer(co_await asio::this_coro::executor);
    while (true) {
        systemd.alive();
        systemd.status(daemon.state());
        timer.expires_after(*systemd.watchdog() / 2);
        co_await timer.async_wait(asio::use_awaitable);
    }
}

asio::awaitable<int> serve(asio::io_context& loop, pool_protocol::PoolDirectory directory,
                           pool_daemon::Options daemon_options, bool json) {
    io::ServiceManager systemd = io::ServiceManager::from_environment();
    // From here on: whoever sees the pool may stop it, also before it is all up.
    asio::signal_set signals(loop, SIGINT, SIGTERM);
    io::DirectoryWatch watch(loop.get_executor());
    io::UniqueFd socket = systemd.take_socket();
    auto started =
        pool_daemon::Daemon::start(loop.get_executor(), watch, directory, daemon_options, std::move(socket));
    if (started.has_error()) co_return fail(started.error());
    std::shared_ptr<pool_daemon::Daemon> daemon = std::move(*started);
    io::TaskGroup background(loop.get_executor(), io::log_exception);
    // A signal that is on its way at the end finds no daemon.
    signals.async_wait([weak = std::weak_ptr(daemon)](boost::system::error_code ec, int) {
        if (auto served = weak.lock(); served && !ec) served->request_stop();
    });
    if (json) std::cout << "{\"id\":" << json::quote(directory.pool) << "}" << std::endl;
    if (!std::cout) io::log::warn("cannot write {\"id\":…} to stdout, and serves the pool all the same");
    io::log::info("pool ", directory.pool, " is served in ", directory.path);
    systemd.ready();
    if (systemd.watchdog()) background.spawn("watchdog", feed_watchdog(systemd, *daemon));
    co_await daemon->until_stop_requested();
    io::log::info("stopping");
    systemd.stopping();
    background.cancel();
    co_await background.join();
    co_await daemon->stop();
    signals.cancel();
    io::log::info("stopped");
    co_return cli::ok;
}

asio::awaitable<int> run(asio::io_context& loop, pool_protocol::PoolDirectory directory,
                         pool_daemon::Options daemon_options, bool json, bool stop_first) {
    if (stop_first) {
        auto stopped = co_await stop_pool(directory);
        if (stopped.has_error() && stopped.error().code != boost::system::errc::no_such_process)
            co_return fail(stopped.error());
    }
    co_return co_await serve(loop, directory, daemon_options, json);
}

}  // namespace

cli::Command start_command() {
    cli::Command command;
    command.name = "start";
    command.summary = "Serve a pool, in the foreground, until SIGINT, SIGTERM or `troupe stop`.";
    command.details = details;
    command.options = cli::options_of(option_table());
    command.run = [](const cli::Options& given) {
        auto directory = pool_of(given);
        if (directory.has_error()) return fail(directory.error(), cli::usage);
        Arguments arguments = cli::read(option_table(), given);
        return run_loop([=](asio::io_context& loop) {
            return run(loop, *directory, arguments.daemon, arguments.json, arguments.stop_first);
        });
    };
    return command;
}

}  // namespace troupe
