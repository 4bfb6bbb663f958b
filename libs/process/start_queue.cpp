#include "process/start_queue.hpp"

#include "io/log.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <list>
#include <new>
#include <optional>
#include <sys/resource.h>

namespace process {

namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds shortest_pause = 100ms;
constexpr std::chrono::milliseconds longest_pause = 5s;
constexpr std::chrono::minutes log_interval{1};

// A position in the queue. Only the first one tries to start; when it succeeds, the next one tries.
class QueuePosition {
  public:
    explicit QueuePosition(const asio::any_io_executor& executor) : timer_(executor) {
        queue().push_back(this);
    }
    ~QueuePosition() {
        queue().remove(this);
        wake_first();
    }
    QueuePosition(const QueuePosition&) = delete;
    QueuePosition& operator=(const QueuePosition&) = delete;

    static bool is_empty() { return queue().empty(); }
    static void wake_first() {
        if (!is_empty()) queue().front()->timer_.cancel();
    }

    bool is_first() const { return queue().front() == this; }

    // The timer is set before the wait begins, so that no wake-up is missed.
    asio::steady_timer& timer(Clock::duration pause) {
        if (is_first())
            timer_.expires_after(pause);
        else
            timer_.expires_at(Clock::time_point::max());
        return timer_;
    }

  private:
    static std::list<QueuePosition*>& queue() {
        static std::list<QueuePosition*> positions;
        return positions;
    }

    asio::steady_timer timer_;
};

std::size_t& running_children() {
    static std::size_t count = 0;
    return count;
}

// No other process can give back what this one lacks.
bool is_own_limit(const base::Error& error) {
    rlimit limit{};
    return error.code == boost::system::errc::not_enough_memory && running_children() == 0 &&
           ::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

void warn_of_shortage(const base::Error& error) {
    static std::optional<Clock::time_point> last_warning;
    if (last_warning && Clock::now() - *last_warning < log_interval) return;
    last_warning = Clock::now();
    io::log::warn("a command has to wait: ", error.message,
                  "; it is started when there is room (run fewer at once, or raise the limit: ulimit)");
}

// Empty: it is to be tried again.
std::optional<base::Result<SpawnedShell>> try_to_start(const ShellRequest& request) {
    auto shell = spawn_shell(request);
    if (shell) ++running_children();
    if (shell || !is_shortage(shell.error())) return shell;
    if (is_own_limit(shell.error())) throw std::bad_alloc();
    warn_of_shortage(shell.error());
    return std::nullopt;
}

base::Error cancelled() {
    return {boost::system::errc::make_error_code(boost::system::errc::operation_canceled), "cancelled"};
}

}  // namespace

asio::awaitable<base::Result<SpawnedShell>> start_shell(ShellRequest request) {
    if (QueuePosition::is_empty()) {
        if (auto shell = try_to_start(request)) co_return std::move(*shell);
    }
    QueuePosition position(co_await asio::this_coro::executor);
    Clock::duration pause = shortest_pause;
    while (true) {
        bool was_first = position.is_first();
        boost::system::error_code ignored;
        co_await position.timer(pause).async_wait(asio::redirect_error(asio::use_awaitable, ignored));
        asio::cancellation_state state = co_await asio::this_coro::cancellation_state;
        if (state.cancelled() != asio::cancellation_type::none) co_return cancelled();
        if (!position.is_first()) continue;
        if (auto shell = try_to_start(request)) co_return std::move(*shell);
        if (was_first) pause = std::min<Clock::duration>(2 * pause, longest_pause);
    }
}

void child_has_ended() {
    --running_children();
    QueuePosition::wake_first();
}

}  // namespace process
