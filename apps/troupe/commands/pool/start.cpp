#include "base/exit_code.hpp"
#include "base/limits.hpp"
#include "base/text.hpp"
#include "cli/option_table.hpp"
#include "commands.hpp"
#include "commands/pool/monitoring.hpp"
#include "commands/pool/stop_pool.hpp"
#include "context.hpp"
#include "edge_program.hpp"
#include "engine_settings.hpp"
#include "http/server.hpp"
#include "io/internal_error.hpp"
#include "io/log.hpp"
#include "io/log_signals.hpp"
#include "io/service_manager.hpp"
#include "io/signals.hpp"
#include "io/task_group.hpp"
#include "json/json.hpp"
#include "pool_daemon/daemon.hpp"
#include "version/program_version.hpp"

#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <iostream>

namespace troupe {

namespace asio = boost::asio;

namespace {

constexpr const char* start_details = R"(Examples:
  troupe start
  troupe start --pool reviews --task-timeout-secs 600
  troupe --root /run/user/1000/troupe start --json
  troupe start --pool reviews --engine nats://h1:4222
      Makes this host a part of a pool over many hosts.

Under systemd, the daemon reports when it is ready, feeds the watchdog, and uses a socket that systemd has opened for
it; see docs/deployment.md.

With --engine, agents and submitters of this host share the pool with those of all hosts that have the same engine; see
docs/hosts.md. Each option of the engine can be given in the environment as well: --engine-ca as TROUPE_ENGINE_CA,
--lease-secs as TROUPE_LEASE_SECS.

SIGINT and SIGTERM stop it in order, and so does SIGHUP, unless nohup has started it, or there is a --log-file and no
terminal. SIGUSR1 logs a level more, and SIGUSR2 a level less.

Exit codes: 0 it was stopped; 1 the pool cannot be served (for example because another daemon serves it), or not any
more; 2 the command line is invalid.
)";

struct StartArguments {
    pool_daemon::Options daemon;
    std::string metrics;  // address and port; empty: they are not served
    std::string log_file;
    bool json = false;
    bool stop_first = false;
};

template<class Member>
cli::Set<StartArguments> into_daemon(Member pool_daemon::Options::*member) {
    return [member](StartArguments& arguments, const std::string& text) {
        cli::convert(text, arguments.daemon.*member);
    };
}

const cli::OptionTable<StartArguments>& start_option_table() {
    using cli::into;
    static const cli::Set<StartArguments> without_heartbeats =
        [](StartArguments& arguments, const std::string&) { arguments.daemon.heartbeats = false; };
    static const cli::OptionTable<StartArguments> table{
        {pool_option(), {}},
        {{"json", cli::none(), "print {\"id\":\"POOL\"} on stdout once the pool is served"},
         into(&StartArguments::json)},
        {{"idle-timeout-secs", cli::seconds("N", cli::Zero::refused).with_default("180"),
          "after this time without a task, an agent gets a heartbeat, to which it must respond within the "
          "same time"},
         into_daemon(&pool_daemon::Options::idle_timeout)},
        {{"task-timeout-secs", cli::seconds("N", cli::Zero::allowed).with_default("86400"),
          "the time limit of tasks that name none; 0 for no limit"},
         into_daemon(&pool_daemon::Options::task_timeout)},
        {{"reconnect-secs", cli::seconds("N", cli::Zero::refused).with_default("60"),
          "the time that a submitter has to come back after its connection was lost, or the daemon has "
          "started again; then its task is withdrawn"},
         into_daemon(&pool_daemon::Options::reconnect_time)},
        {{"no-heartbeat", cli::none(), "send no heartbeats"}, without_heartbeats},
        {{"no-periodic-heartbeat", cli::none(), "the same as --no-heartbeat"}, without_heartbeats},
        {{"no-initial-heartbeat", cli::none(), "accepted and without effect: a new agent gets no heartbeat"},
         {}},
        {{"preserve-dirs", cli::none(), "accepted and without effect: directories are always kept"}, {}},
        {{"stop", cli::none(), "stop the daemon that serves the pool, and take its place"},
         into(&StartArguments::stop_first)},
        {{"max-message-bytes",
          cli::whole_number("N", base::least_message_bytes, base::most_message_bytes)
              .with_default(std::to_string(std::int64_t{64} << 20)),
          "the size limit of requests, tasks and responses"},
         into_daemon(&pool_daemon::Options::max_message_bytes)},
        {{"metrics", cli::text("ADDRESS:PORT", "a loopback address and a port, for example 127.0.0.1:9464"),
          "serve /metrics for Prometheus, /healthz and /readyz over HTTP on this loopback address, for "
          "example "
          "127.0.0.1:9464 (see docs/metrics.md); port 0 stands for a free one, which the log names"},
         into(&StartArguments::metrics)},
        {{"log-file", cli::file("FILE", "the path of a file"),
          "append the log to this file as well; SIGHUP opens it again, after logrotate has renamed it"},
         into(&StartArguments::log_file)}};
    return table;
}

base::Result<void> open_log_file(const std::string& path) {
    return path.empty() ? base::Result<void>() : io::log::open_file(path);
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

// Metrics have no TLS and no token, so they stay on this machine.
base::Result<std::optional<http::Address>> metrics_address(const std::string& text) {
    if (text.empty()) return std::optional<http::Address>();
    auto address = http::parse_address(text);
    if (address.has_error()) return base::with_context("--metrics", address.error());
    if (!address->address().is_loopback())
        return base::invalid(
            base::concat("--metrics: other machines can reach ", text,
                         ", but metrics are served without TLS and to everyone: use 127.0.0.1 "
                         "or [::1], and a proxy if another machine is to read them"));
    return std::optional(*address);
}

// Serves the pool's metrics while it exists. The port is taken before the pool is, so that a start without it
// changes nothing.
class MetricsServer {
  public:
    explicit MetricsServer(asio::any_io_executor executor)
        : server_(executor, {}, [this](const http::Request& request) { return respond(request); }) {}

    base::Result<void> listen(const std::optional<http::Address>& address) {
        if (!address) return {};
        auto bound = server_.listen(*address);
        if (bound.has_error()) return base::with_context("--metrics", bound.error());
        io::log::info("metrics are served at http://", http::address_text(*bound), "/metrics");
        return {};
    }

    void set_pool(const pool_daemon::Daemon& daemon) { daemon_ = &daemon; }

    asio::awaitable<void> stop() { return server_.stop(); }

  private:
    asio::awaitable<http::Response> respond(const http::Request& request) {
        co_return monitoring_response(request, [this] { return daemon_->status(); });
    }

    http::Server server_;
    const pool_daemon::Daemon* daemon_ = nullptr;
};

asio::awaitable<int> serve(asio::io_context& loop, pool_protocol::PoolDirectory directory,
                           StartArguments arguments, std::optional<http::Address> metrics_at) {
    io::ServiceManager systemd = io::ServiceManager::from_environment();
    // Signals are caught from here on: whoever sees the pool may stop it, also before it is all up.
    asio::signal_set signals(loop, SIGINT, SIGTERM);
    io::Hangup hangup = io::current_hangup(!arguments.log_file.empty());
    if (hangup == io::Hangup::ends) signals.add(SIGHUP);
    io::LogSignals log_signals(loop.get_executor(), hangup);
    io::DirectoryWatch watch(loop.get_executor());
    MetricsServer metrics(loop.get_executor());
    if (auto listening = metrics.listen(metrics_at); listening.has_error()) co_return fail(listening.error());
    io::UniqueFd socket = systemd.take_socket();
    auto started = pool_daemon::Daemon::start(loop.get_executor(), watch, directory, arguments.daemon,
                                              std::move(socket));
    if (started.has_error()) {
        co_await metrics.stop();
        co_return fail(started.error());
    }
    std::shared_ptr<pool_daemon::Daemon> daemon = std::move(*started);
    metrics.set_pool(*daemon);
    io::TaskGroup background(loop.get_executor(), io::end_process);
    // A signal that is on its way at the end finds no daemon.
    signals.async_wait([weak = std::weak_ptr(daemon)](boost::system::error_code ec, int) {
        if (auto served = weak.lock(); served && !ec) served->request_stop();
    });
    if (arguments.json) std::cout << "{\"id\":" << json::quote(directory.pool) << "}" << std::endl;
    if (!std::cout) io::log::warn("cannot write {\"id\":…} to stdout, and serves the pool all the same");
    io::log::info("pool ", directory.pool, " is served in ", directory.path);
    systemd.ready();
    if (systemd.watchdog()) background.spawn("watchdog", feed_watchdog(systemd, *daemon));
    co_await daemon->until_stop_requested();
    io::log::info("stopping");
    systemd.stopping();
    background.cancel();
    co_await background.join();
    co_await metrics.stop();
    co_await daemon->stop();
    signals.cancel();
    io::block_ending_signals();
    io::log::info("stopped");
    co_return daemon->is_displaced() ? base::ExitCode::failure : base::ExitCode::ok;
}

asio::awaitable<int> run(asio::io_context& loop, pool_protocol::PoolDirectory directory,
                         StartArguments arguments, std::optional<http::Address> metrics_at) {
    if (arguments.stop_first) {
        auto stopped = co_await stop_pool(directory);
        if (stopped.has_error() && stopped.error().code != boost::system::errc::no_such_process)
            co_return fail(stopped.error());
    }
    co_return co_await serve(loop, directory, arguments, metrics_at);
}

}  // namespace

cli::Command start_command(PrepareEngine prepare_engine) {
    cli::Command command;
    command.name = "start";
    command.summary = "Serve a pool, in the foreground, until SIGINT, SIGTERM or `troupe stop`.";
    command.details = start_details;
    command.options = cli::options_of(start_option_table());
    for (cli::Option& option : engine_options())
        command.options.push_back(std::move(option));
    command.run = [prepare_engine = std::move(prepare_engine)](const cli::Options& given) {
        auto directory = pool_of(given);
        if (directory.has_error()) return fail(directory.error(), base::ExitCode::usage);
        StartArguments arguments = cli::read(start_option_table(), given);
        arguments.daemon.version = version::program_version;
        if (auto opened = open_log_file(arguments.log_file); opened.has_error())
            return fail(opened.error(), base::ExitCode::usage);
        auto metrics_at = metrics_address(arguments.metrics);
        if (metrics_at.has_error()) return fail(metrics_at.error(), base::ExitCode::usage);
        auto engine = engine_settings(given);
        if (engine.has_error()) return fail(engine.error(), base::ExitCode::usage);
        if (engine->servers.empty())
            return run_loop(
                [=](asio::io_context& loop) { return run(loop, *directory, arguments, *metrics_at); });
        if (!prepare_engine) return fail(become_edge_program());
        auto access = prepare_engine(*engine);
        if (access.has_error()) return fail(access.error(), base::ExitCode::usage);
        return run_loop([=, times = edge::times_for(engine->lease)](asio::io_context& loop) {
            StartArguments all = arguments;
            auto executor = loop.get_executor();
            all.daemon.engine = {times, [=](const edge::EdgeId& self) {
                                     return access->make(executor, directory->pool, self);
                                 }};
            return run(loop, *directory, std::move(all), *metrics_at);
        });
    };
    return command;
}

}  // namespace troupe
