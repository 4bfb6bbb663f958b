#include "pool_client/pool_wait.hpp"

#include "base/text.hpp"
#include "io/local_socket.hpp"
#include "io/log.hpp"
#include "pool_client/pool_end.hpp"
#include "pool_protocol/names.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <functional>
#include <utility>

namespace pool_client {

namespace asio = boost::asio;

namespace {

constexpr std::chrono::milliseconds connect_interval{50};
constexpr std::chrono::seconds usual_wait{10};

bool is_refused(const base::Error& error) {
    return error.code != boost::system::errc::no_such_file_or_directory;
}

bool is_unserved(const base::Result<io::Directory>& pool) {
    return pool.has_error() && pool.error().code == boost::system::errc::host_unreachable;
}

asio::awaitable<base::Result<io::Directory>> wait_until(pool_protocol::PoolDirectory directory,
                                                        std::function<bool()> is_over) {
    asio::steady_timer timer(co_await asio::this_coro::executor);
    bool has_knocked = false;
    while (true) {
        auto pool = open_served_pool(directory);
        if (!is_unserved(pool) || is_over()) co_return pool;
        has_knocked = has_knocked || knock(directory);
        timer.expires_after(connect_interval);
        co_await timer.async_wait(asio::use_awaitable);
    }
}

}  // namespace

base::Error not_served(const pool_protocol::PoolDirectory& directory) {
    return {boost::system::errc::make_error_code(boost::system::errc::host_unreachable),
            base::concat("no daemon serves the pool in ", directory.path, "; start one with `troupe start ",
                         pool_protocol::options_of(directory), "`")};
}

base::Result<io::Directory> open_served_pool(const pool_protocol::PoolDirectory& directory) {
    auto opened = io::Directory::open(directory.path);
    if (opened.has_error() && is_refused(opened.error())) return opened.error();
    if (opened.has_error() || !opened->contains(pool_protocol::status_name)) return not_served(directory);
    return opened;
}

bool knock(const pool_protocol::PoolDirectory& directory) {
    return io::connect_local(directory.path, pool_protocol::socket_name).has_value();
}

asio::awaitable<base::Result<io::Directory>> wait_for_pool(pool_protocol::PoolDirectory directory,
                                                           std::chrono::milliseconds at_most) {
    auto deadline = std::chrono::steady_clock::now() + at_most;
    std::function<bool()> is_over = [deadline] { return std::chrono::steady_clock::now() >= deadline; };
    auto pool = co_await wait_until(std::move(directory), std::move(is_over));
    co_return pool;
}

asio::awaitable<base::Result<io::Directory>> wait_for_next_daemon(pool_protocol::PoolDirectory directory,
                                                                  std::string agent_name) {
    auto pool = open_served_pool(directory);
    if (!is_unserved(pool) || has_stopped(directory)) co_return pool;
    io::log::info(agent_name, ": nobody serves the pool in ", directory.path, " now; waiting");
    std::function<bool()> is_over = [directory] { return has_stopped(directory); };
    pool = co_await wait_until(directory, std::move(is_over));
    co_return pool;
}

asio::awaitable<base::Result<io::Directory>> wait_for_pool(pool_protocol::PoolDirectory directory) {
    auto pool = co_await wait_for_pool(directory, std::chrono::milliseconds(0));
    if (is_unserved(pool)) {
        io::log::info(pool.error().message, "; waiting ", usual_wait.count(), " s for it");
        pool = co_await wait_for_pool(directory, usual_wait);
    }
    co_return pool;
}

}  // namespace pool_client
