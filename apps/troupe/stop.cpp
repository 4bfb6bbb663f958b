#include "base/text.hpp"
#include "commands.hpp"
#include "context.hpp"
#include "io/directory.hpp"
#include "io/file_lock.hpp"
#include "pool_daemon/daemon.hpp"
#include "pool_protocol/names.hpp"
#include "stop_pool.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <iostream>

namespace troupe {

namespace asio = boost::asio;

namespace {

constexpr std::chrono::seconds stop_wait{10};
constexpr std::chrono::milliseconds look_again{20};

base::Error not_running(const pool_protocol::PoolDirectory& directory) {
    return {boost::system::errc::make_error_code(boost::system::errc::no_such_process),
            base::concat("no daemon serves the pool in ", directory.path)};
}

// In place, not by renaming: a published daemon watches the file itself.
base::Result<void> write_stop(const io::Directory& pool) {
    return pool.overwrite(pool_protocol::status_name, "stop");
}

// A socket of systemd's accepts connections also when there is no daemon; but `status` is there only with one
// (R4).
bool is_running(const io::Directory& pool, const pool_protocol::PoolDirectory& directory) {
    return (pool_daemon::is_served(directory) && pool.contains(pool_protocol::status_name)) ||
           io::is_locked(pool, pool_protocol::lock_name).value_or(false);
}

}  // namespace

asio::awaitable<base::Result<void>> stop_pool(pool_protocol::PoolDirectory directory) {
    auto pool = io::Directory::open(directory.path);
    if (pool.has_error() && pool.error().code == boost::system::errc::no_such_file_or_directory)
        co_return not_running(directory);
    if (pool.has_error()) co_return pool.error();
    if (!is_running(*pool, directory)) co_return not_running(directory);
    if (auto written = write_stop(*pool); written.has_error()) co_return written.error();
    asio::steady_timer timer(co_await asio::this_coro::executor);
    auto deadline = std::chrono::steady_clock::now() + stop_wait;
    while (is_running(*pool, directory)) {
        if (std::chrono::steady_clock::now() >= deadline)
            co_return base::Error{
                boost::system::errc::make_error_code(boost::system::errc::timed_out),
                base::concat("the daemon of ", directory.path, " has not stopped after 10 s")};
        timer.expires_after(look_again);
        co_await timer.async_wait(asio::use_awaitable);
    }
    co_return base::Result<void>();
}

namespace {

asio::awaitable<int> run(pool_protocol::PoolDirectory directory) {
    auto stopped = co_await stop_pool(directory);
    if (stopped.has_error()) co_return fail(stopped.error());
    std::cerr << "stopped pool " << directory.pool << "\n";
    co_return cli::ok;
}

}  // namespace

cli::Command stop_command() {
    cli::Command command;
    command.name = "stop";
    command.summary = "Stop the daemon of a pool: everything submitted is answered `stopped`.";
    command.details =
        "Example:\n  troupe stop --pool reviews\n\nExit code: 0 when it has stopped, 1 when none was running "
        "or it "
        "does not stop.\n";
    add_pool_option(command.options);
    command.run = [](const cli::Options& options) {
        auto directory = pool_of(options);
        if (directory.has_error()) return fail(directory.error(), cli::usage);
        return run_loop([=](asio::io_context&) { return run(*directory); });
    };
    return command;
}

}  // namespace troupe
