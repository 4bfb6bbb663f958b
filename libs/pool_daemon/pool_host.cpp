#include "pool_daemon/pool_host.hpp"

#include "io/internal_error.hpp"
#include "io/log.hpp"
#include "pool_daemon/without_engine.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <chrono>
#include <utility>

namespace pool_daemon {

namespace asio = boost::asio;
namespace log = io::log;

namespace {

// How long a daemon that has gone has to come back, and how long until the next look.
constexpr std::chrono::seconds takeover_delay{5};
constexpr std::chrono::seconds next_takeover_delay{1};

// How long, and how often, a process that was asked to host the pool tries to.
constexpr std::chrono::seconds handover_time{3};
constexpr std::chrono::milliseconds handover_step{10};

}  // namespace

PoolHost::PoolHost(asio::any_io_executor executor, io::DirectoryWatch& watch, Settings settings)
    : executor_(executor),
      watch_(watch),
      settings_(std::move(settings)),
      background_(std::move(executor), io::end_process) {}

PoolHost::Start PoolHost::start() {
    Options options;
    options.is_hosted = true;
    options.version = settings_.version;
    options.is_private = settings_.is_private;
    options.owner = settings_.owner;
    const std::string& path = settings_.directory.path;
    auto started = Daemon::start(executor_, watch_, settings_.directory, options);
    if (started) {
        daemon_ = std::move(*started);
        background_.spawn("pool", serve());
        if (settings_.is_private)
            log::info("hosting the run's own pool for its agents at ", path);
        else
            log::info("no daemon serves the pool at ", path, ": hosting it for as long as this run lasts");
        return Start::hosting;
    }
    if (started.error().code == boost::system::errc::resource_unavailable_try_again) {
        log::info("a pool daemon is starting at ", path);
        return Start::taken;
    }
    log::error(started.error().message);
    return Start::failed;
}

bool PoolHost::may_host() const {
    return !daemon_ && !stop_requested_ && !is_over_many_hosts(settings_.directory);
}

void PoolHost::take_over_later() {
    if (stop_requested_ || std::exchange(takes_over_later_, true)) return;
    background_.spawn("pool takeover", take_over_if_away());
}

void PoolHost::take_over_now() {
    background_.spawn("pool handover", take_over_when_unlocked());
}

pool::Load PoolHost::load() const {
    return daemon_ ? daemon_->load() : pool::Load();
}

// Somebody who takes the pool over may end before this process has found it: hence the repetition.
asio::awaitable<void> PoolHost::take_over_if_away() {
    asio::steady_timer timer(executor_);
    auto delay = takeover_delay;
    while (may_host() && !settings_.is_connected()) {
        timer.expires_after(delay);
        co_await timer.async_wait(asio::use_awaitable);
        delay = next_takeover_delay;
        if (!may_host() || settings_.is_connected() || is_served(settings_.directory)) continue;
        io::log::debug("no daemon has come back to the pool at ", settings_.directory.path);
        if (start() == Start::failed) break;
    }
    takes_over_later_ = false;
}

asio::awaitable<void> PoolHost::take_over_when_unlocked() {
    takes_over_now_ = true;
    asio::steady_timer timer(executor_);
    auto end = std::chrono::steady_clock::now() + handover_time;
    while (may_host() && std::chrono::steady_clock::now() < end) {
        if (!is_locked(settings_.directory)) {
            start();
            break;
        }
        timer.expires_after(handover_step);
        co_await timer.async_wait(asio::use_awaitable);
    }
    takes_over_now_ = false;
}

asio::awaitable<void> PoolHost::serve() {
    co_await daemon_->until_stop_requested();
    stop_requested_ = true;
    log::warn("the hosted pool was told to stop");
    auto daemon = std::move(daemon_);
    co_await daemon->stop();
}

asio::awaitable<void> PoolHost::leave() {
    background_.cancel();
    co_await background_.join();
    auto daemon = std::move(daemon_);
    if (!daemon) co_return;
    if (settings_.is_private) {
        co_await daemon->stop();
        daemon->remove_pool();
    } else {
        co_await daemon->hand_over();
    }
}

}  // namespace pool_daemon
