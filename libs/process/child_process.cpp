#include "process/child_process.hpp"

#include "process/child_run.hpp"
#include "process/live_groups.hpp"
#include "process/start_queue.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <chrono>
#include <memory>
#include <signal.h>

namespace process {

namespace asio = boost::asio;
using boost::system::error_code;

namespace {

// A child that is just being started is still in the group of this process: a signal to that group, of Ctrl-C
// for example, may end it before this process has read the signal.
constexpr std::chrono::milliseconds same_signal{250};

}  // namespace

asio::awaitable<ChildResult> run_child(ChildSpec spec) {
    bool throws = co_await asio::this_coro::throw_if_cancelled();
    co_await asio::this_coro::throw_if_cancelled(false);
    auto run = std::make_shared<ChildRun>(co_await asio::this_coro::executor, std::move(spec));
    asio::cancellation_state state = co_await asio::this_coro::cancellation_state;
    if (state.cancelled() != asio::cancellation_type::none) {
        co_await asio::this_coro::throw_if_cancelled(throws);
        ChildResult never_started;
        never_started.end = ChildResult::End::cancelled;
        co_return never_started;
    }
    base::Result<SpawnedShell> shell = co_await start_shell(run->request());
    if (shell)
        run->start(std::move(*shell));
    else
        run->give_up(shell.error());
    while (!run->finished()) {
        error_code ignored;
        co_await run->finished_timer().async_wait(asio::redirect_error(asio::use_awaitable, ignored));
        if (!run->finished()) run->cancel();
    }
    ChildResult result = run->take_result();
    if (was_interrupted(result) && state.cancelled() == asio::cancellation_type::none) {
        error_code ignored;
        run->finished_timer().expires_after(same_signal);
        co_await run->finished_timer().async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    }
    co_await asio::this_coro::throw_if_cancelled(throws);
    if (state.cancelled() != asio::cancellation_type::none && was_interrupted(result))
        result.end = ChildResult::End::cancelled;
    co_return result;
}

void kill_all_children() {
    for (LiveGroup group : live_groups())
        ::kill(-group.id, SIGKILL);
}

}  // namespace process
