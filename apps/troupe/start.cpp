#include "base/text.hpp"
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
namespace po = boost::program_options;

namespace {

pool_daemon::Options daemon_options(const cli::Options& options) {
    pool_daemon::Options daemon;
    daemon.idle_timeout = seconds_option(options, "idle-timeout-secs", false);
    daemon.task_timeout = seconds_option(options, "task-timeout-secs", true);
    daemon.heartbeats = options.count("no-heartbeat") == 0 && options.count("no-periodic-heartbeat") == 0;
    auto most = options["max-message-bytes"].as<std::int64_t>();
    if (most < 1) throw po::error("--max-message-bytes must be at least 1");
    daemon.max_message_bytes = static_cast<std::size_t>(most);
    return daemon;
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
    command.details =
        "Examples:\n"
        "  troupe start\n"
        "  troupe start --pool reviews --task-timeout-secs 600\n"
        "  troupe --root /run/user/1000/troupe start --json\n"
        "\nUnder systemd it tells when it is ready, feeds the watchdog, and serves a socket that was opened "
        "for "
        "it; see docs/deployment.md.\n"
        "\nExit codes: 0 it was stopped; 1 the pool can't be served (another daemon serves it, say); 2 wrong "
        "usage.\n";
    add_pool_option(command);
    auto seconds = [](double preset) { return po::value<double>()->value_name("N")->default_value(preset); };
    command.options.add_options()("json", "print {\"id\":\"POOL\"} on stdout once the pool is served")(
        "idle-timeout-secs", seconds(180),
        "an agent that has waited so long gets a heartbeat, which it must answer within the same time")(
        "task-timeout-secs", seconds(86400),
        "the time an agent has for a task that names none itself; 0: no limit")(
        "no-heartbeat", "send no heartbeats")("no-periodic-heartbeat", "the same")(
        "no-initial-heartbeat", "accepted and without effect: a new agent gets no heartbeat")(
        "preserve-dirs", "accepted and without effect: directories are always kept")(
        "stop", "stop a daemon that serves the pool, and take its place")(
        "max-message-bytes",
        po::value<std::int64_t>()->value_name("N")->default_value(std::int64_t{64} << 20),
        "the largest request, task or response");
    command.run = [](const cli::Options& options) {
        auto directory = pool_of(options);
        if (directory.has_error()) return fail(directory.error(), cli::usage);
        pool_daemon::Options daemon = daemon_options(options);
        bool json = options.count("json") > 0;
        bool stop_first = options.count("stop") > 0;
        return run_loop(
            [=](asio::io_context& loop) { return run(loop, *directory, daemon, json, stop_first); });
    };
    return command;
}

}  // namespace troupe
