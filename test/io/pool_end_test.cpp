// Agents that announce themselves when their pool's daemon has ended, or is about to.
#include "pool_client/pool_end.hpp"

#include "io_helper.hpp"
#include "pool_client/agent.hpp"
#include "pool_client/pool_wait.hpp"
#include "pool_daemon/daemon.hpp"
#include "pool_protocol/daemon_end.hpp"
#include "pool_protocol/names.hpp"
#include "warnings.hpp"

#include <boost/asio/post.hpp>

#include <csignal>
#include <memory>
#include <optional>
#include <sys/resource.h>

using namespace test;
using pool_client::Assignment;
using pool_protocol::KickReason;

namespace {

struct EndingPool {
    EndingPool() { start(); }

    void start() {
        auto started = pool_daemon::Daemon::start(loop.get_executor(), watch, directory, {});
        REQUIRE(started.has_value());
        daemon = std::move(*started);
    }

    void ask_for_task() {
        asio::co_spawn(loop, pool_client::get_task(watch, directory, {}),
                       [this](std::exception_ptr, base::Result<Assignment> result) {
                           REQUIRE(result.has_value());
                           assignment = std::move(*result);
                       });
    }

    void stop() { run(loop, daemon->stop()); }

    template<typename Condition>
    void until(Condition holds) {
        auto end = std::chrono::steady_clock::now() + patience;
        while (!holds() && std::chrono::steady_clock::now() < end)
            loop.run_one_for(std::chrono::milliseconds(100));
        REQUIRE(holds());
    }
    void check_told_of_stop() {
        until([this] { return assignment.has_value(); });
        CHECK(assignment->kind == Assignment::Kind::kicked);
        CHECK(assignment->reason == KickReason::stopped);
        CHECK(std::filesystem::is_empty(directory.agents()));
    }
    bool has_stopped() const { return pool_client::has_stopped(directory); }

    TemporaryDirectory root;
    pool_protocol::PoolDirectory directory = *pool_protocol::locate(root / "root", "p");
    asio::io_context loop{1};
    io::DirectoryWatch watch{loop.get_executor()};
    std::unique_ptr<pool_daemon::Daemon> daemon;
    std::optional<Assignment> assignment;
};

// No file can be written, as on a full disk.
class NoRoom {
  public:
    NoRoom() : before_(std::signal(SIGXFSZ, SIG_IGN)) {
        ::getrlimit(RLIMIT_FSIZE, &limit_);
        rlimit none{0, limit_.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &none);
    }
    ~NoRoom() {
        ::setrlimit(RLIMIT_FSIZE, &limit_);
        std::signal(SIGXFSZ, before_);
    }
    NoRoom(const NoRoom&) = delete;
    NoRoom& operator=(const NoRoom&) = delete;

  private:
    rlimit limit_{};
    void (*before_)(int);
};

}  // namespace

TEST_CASE("a daemon that stops kicks also an agent that it has not noticed yet") {
    EndingPool pool;
    bool has_ended = false;
    // One runs right after the other, and the loop reads no event in between.
    asio::post(pool.loop, [&] {
        pool.ask_for_task();
        asio::co_spawn(pool.loop, pool.daemon->stop(), [&](std::exception_ptr) { has_ended = true; });
    });
    pool.until([&] { return has_ended; });
    pool.check_told_of_stop();
}

TEST_CASE("an agent that finds the pool served and announces itself when it has stopped is kicked") {
    EndingPool pool;
    Warnings warnings;
    {
        NoRoom on_disk;
        pool.ask_for_task();
        pool.loop.poll_one();
        REQUIRE(warnings.texts.size() == 1);  // that it can't announce itself, and tries again
    }
    pool.stop();
    pool.check_told_of_stop();
}

TEST_CASE("a pool has stopped from the end of its daemon to the beginning of the next one") {
    EndingPool pool;
    CHECK_FALSE(pool.has_stopped());
    pool.stop();
    CHECK(pool.has_stopped());
    pool.daemon.reset();
    pool.start();
    CHECK_FALSE(pool.has_stopped());
    pool.stop();
}

TEST_CASE("a pool that its host leaves has not stopped, even if no agent is attached") {
    EndingPool pool;
    run(pool.loop, pool.daemon->hand_over());
    CHECK_FALSE(pool_client::open_served_pool(pool.directory).has_value());
    CHECK_FALSE(pool.has_stopped());
}

TEST_CASE("the next daemon is waited for until the pool is served or has stopped") {
    EndingPool pool;
    run(pool.loop, pool.daemon->hand_over());
    pool.daemon.reset();
    std::optional<bool> is_served;
    asio::co_spawn(
        pool.loop, pool_client::wait_for_next_daemon(pool.directory, "agent"),
        [&](std::exception_ptr, base::Result<io::Directory> found) { is_served = found.has_value(); });
    pool.loop.restart();
    pool.loop.poll();
    REQUIRE_FALSE(is_served);
    SECTION("served") {
        pool.start();
        pool.until([&] { return is_served.has_value(); });
        CHECK(is_served == true);
        pool.stop();
    }
    SECTION("stopped") {
        write(pool.directory.path + "/" + pool_protocol::lock_name, to_json(pool_protocol::DaemonEnd()));
        pool.until([&] { return is_served.has_value(); });
        CHECK(is_served == false);
    }
}
