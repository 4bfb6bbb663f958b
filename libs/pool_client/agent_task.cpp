#include "pool_client/agent_task.hpp"

#include "io/log.hpp"
#include "pool_client/kick_watch.hpp"
#include "pool_protocol/messages.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <array>
#include <unistd.h>

namespace pool_client {

namespace asio = boost::asio;
using std::chrono::milliseconds;

namespace {

constexpr milliseconds first_write_retry{100};
constexpr milliseconds last_write_retry{2000};
constexpr milliseconds longest_margin{100};
constexpr milliseconds first_look{1};
constexpr milliseconds last_look{50};
constexpr milliseconds longest_look{5000};

// Shortly before the daemon's deadline, so that the command has ended when the daemon answers `timeout`.
std::optional<milliseconds> own_time(const Assignment& assignment) {
    auto timeout = timeout_of(assignment);
    if (!timeout) return std::nullopt;
    return *timeout - std::min(longest_margin, *timeout / 10);
}

// The command's processes are found by these variables when they have to be killed (process/child_process).
// The id distinguishes agents of the same name.
process::Environment environment_of(const AgentOptions& options, const Assignment& assignment) {
    process::Environment environment = options.environment;
    environment.emplace_back("BARNUM_AGENT", options.name);
    environment.emplace_back("BARNUM_AGENT_ID", assignment.uuid);
    return environment;
}

process::ChildSpec spec_for(const AgentOptions& options, const Assignment& assignment) {
    process::ChildSpec spec;
    spec.script = options.command;
    spec.directory = options.directory;
    spec.environment = environment_of(options, assignment);
    spec.input = assignment.content;
    spec.input_file = assignment.content_file.fd.get();
    if (options.ends_when_told) spec.timeout = own_time(assignment);
    spec.stop = std::make_shared<process::ChildStop>();
    return spec;
}

}  // namespace

asio::awaitable<CommandEnd> run_command(io::DirectoryWatch& watch,
                                        const pool_protocol::PoolDirectory& directory,
                                        const AgentOptions& options, const Assignment& assignment) {
    auto executor = co_await asio::this_coro::executor;
    process::ChildSpec spec = spec_for(options, assignment);
    std::shared_ptr<process::ChildStop> stop = spec.stop;
    auto reason = std::make_shared<std::optional<pool_protocol::KickReason>>();
    KickWatch::OnKick on_kick = [=](const pool_protocol::KickReason& why) {
        *reason = why;
        stop->request();
    };
    std::optional<KickWatch> kicks;
    if (options.ends_when_told)
        kicks.emplace(executor, watch, *options.session, directory, assignment, std::move(on_kick));
    CommandEnd end;
    end.result = co_await process::run_child(std::move(spec));
    end.kick = std::move(*reason);
    co_return end;
}

asio::awaitable<bool> deliver(const pool_protocol::PoolDirectory& directory, const AgentOptions& options,
                              const Assignment& assignment, std::string response) {
    asio::steady_timer timer(co_await asio::this_coro::executor);
    milliseconds pause = first_write_retry;
    while (true) {
        auto written = respond(directory, assignment, response);
        if (written.has_value()) co_return true;
        if (kick_reason(directory, assignment)) {
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
asio::awaitable<base::Result<void>> let_go(const pool_protocol::PoolDirectory& directory,
                                           const AgentOptions& options, const Assignment& assignment,
                                           pool_protocol::Release release) {
    asio::steady_timer timer(co_await asio::this_coro::executor);
    milliseconds pause = first_look;
    auto end = std::chrono::steady_clock::now() + longest_look;
    bool was_told = options.session->release(assignment.uuid, release);
    while (was_told && options.session->is_connected() && std::chrono::steady_clock::now() < end) {
        if (!is_assigned(directory, assignment)) co_return base::Result<void>();
        timer.expires_after(pause);
        boost::system::error_code ignored;
        co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
        pause = std::min(2 * pause, last_look);
    }
    if (was_told && !is_assigned(directory, assignment)) co_return base::Result<void>();
    co_return pool_client::release(directory, assignment, options.name, std::move(release));
}

std::optional<milliseconds> timeout_of(const Assignment& assignment) {
    if (!assignment.content_file.fd) return pool_protocol::content_timeout(assignment.content);
    constexpr std::size_t end_size = 256;
    std::array<char, end_size> end;
    std::size_t size = std::min(assignment.content_file.size, end_size);
    auto from = static_cast<off_t>(assignment.content_file.size - size);
    if (::pread(assignment.content_file.fd.get(), end.data(), size, from) != static_cast<ssize_t>(size))
        return std::nullopt;
    return pool_protocol::timeout_at_end({end.data(), size});
}

}  // namespace pool_client
