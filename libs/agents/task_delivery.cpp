#include "agents/task_delivery.hpp"

#include "io/log.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <chrono>
#include <utility>

namespace agents {

namespace asio = boost::asio;
using pool_client::Assignment;
using std::chrono::milliseconds;

namespace {

constexpr milliseconds first_write_retry{100};
constexpr milliseconds last_write_retry{2000};
constexpr milliseconds first_look{1};
constexpr milliseconds last_look{50};
constexpr milliseconds longest_look{5000};

}  // namespace

asio::awaitable<bool> deliver(const pool_protocol::PoolDirectory& directory, const AgentOptions& options,
                              const Assignment& assignment, std::string response,
                              std::optional<pool_protocol::AgentReport> report) {
    asio::steady_timer timer(co_await asio::this_coro::executor);
    milliseconds pause = first_write_retry;
    while (true) {
        auto written = pool_client::respond(directory, assignment, response, report);
        if (written.has_value()) co_return true;
        if (pool_client::kick_reason(directory, assignment)) {
            io::log::warn(options.name,
                          ": the response was not written, and the task is not this agent's any more: ",
                          written.error().message);
            co_return false;
        }
        if (pause == first_write_retry)
            io::log::warn(options.name, ": ", written.error().message,
                          "; the response is kept and tried again");
        timer.expires_after(pause);
        boost::system::error_code ignored;
        co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
        asio::cancellation_state state = co_await asio::this_coro::cancellation_state;
        if (state.cancelled() != asio::cancellation_type::none) co_return false;
        pause = std::min(2 * pause, last_write_retry);
    }
}

// A daemon that is ending or very busy may not read the message of the session; then a file repeats it. The
// lock is held meanwhile, so that the agent is not taken for dead.
asio::awaitable<base::Result<void>> release_task(const pool_protocol::PoolDirectory& directory,
                                                 const AgentOptions& options, const Assignment& assignment,
                                                 pool_protocol::Release release) {
    asio::steady_timer timer(co_await asio::this_coro::executor);
    milliseconds pause = first_look;
    auto end = std::chrono::steady_clock::now() + longest_look;
    bool was_told = options.session->release(assignment.uuid, release);
    while (was_told && options.session->is_connected() && std::chrono::steady_clock::now() < end) {
        if (!pool_client::is_assigned(directory, assignment)) co_return base::Result<void>();
        timer.expires_after(pause);
        boost::system::error_code ignored;
        co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
        pause = std::min(2 * pause, last_look);
    }
    if (was_told && !pool_client::is_assigned(directory, assignment)) co_return base::Result<void>();
    co_return pool_client::release(directory, assignment, options.name, std::move(release));
}

pool_protocol::Release release_for(const WorkEnd& end) {
    using Reason = pool_protocol::Release::Reason;
    pool_protocol::Release release;
    release.message = end.message;
    release.report = end.report;
    switch (end.kind) {
        case WorkEnd::Kind::failed:
            release.reason = Reason::failed;
            release.exit_code = end.exit_code;
            release.signal = end.signal;
            release.failure = end.failure;
            release.is_permanent = end.is_permanent;
            break;
        case WorkEnd::Kind::timed_out:
            release.reason = Reason::timeout;
            break;
        case WorkEnd::Kind::kicked:
            release.reason = Reason::ended;
            break;
        case WorkEnd::Kind::stopped:
            release.message = "the agent was stopped";
            break;
        case WorkEnd::Kind::unavailable:
        case WorkEnd::Kind::parked:
            release.exit_code = end.exit_code;
            release.failure = end.failure;
            break;
        case WorkEnd::Kind::responded:
        case WorkEnd::Kind::unusable:
            break;
    }
    return release;
}

}  // namespace agents
