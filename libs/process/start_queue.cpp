#include "process/start_queue.hpp"

#include "io/log.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <list>
#include <optional>

namespace process {

namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds shortest_pause = 100ms;
constexpr std::chrono::milliseconds longest_pause = 5s;
constexpr std::chrono::minutes log_interval{1};

// A position in the queue. Only the first one tries to start; when it succeeds, the next one tries.
class Place {
  public:
    explicit Place(asio::any_io_executor executor) : timer_(std::move(executor)) { queue().push_back(this); }
    ~Place() {
        queue().remove(this);
        wake_first();
    }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

    static bool is_empty() { return queue().empty(); }
    static void wake_first() {
        if (!is_empty()) queue().front()->timer_.cancel();
    }

    bool is_first() const { return queue().front() == this; }

    // Set before the wait begins, so that no wake-up is missed.
    asio::steady_timer& timer(Clock::duration pause) {
        if (is_first())
            timer_.expires_after(pause);
        else
            timer_.expires_at(Clock::time_point::max());
        return timer_;
    }

  private:
    static std::list<Place*>& queue() {
        static std::list<Place*> places;
        return places;
    }

    asio::steady_timer timer_;
};

void tell(const base::Error& error) {
    static std::optional<Clock::time_point> told;
    if (told && Clock::now() - *told < log_interval) return;
    told = Clock::now();
    io::log::warn("a command has to wait: ", error.message,
                  "; it is started when there is room (run fewer at once, or raise the limit: ulimit)");
}

base::Error cancelled() {
    return {boost::system::errc::make_error_code(boost::system::errc::operation_canceled), "cancelled"};
}

}  // namespace

asio::awaitable<base::Result<SpawnedShell>> start_shell(ShellRequest request) {
    if (Place::is_empty()) {
        auto shell = spawn_shell(request);
        if (shell || !is_shortage(shell.error())) co_return shell;
        tell(shell.error());
    }
    Place place(co_await asio::this_coro::executor);
    Clock::duration pause = shortest_pause;
    while (true) {
        bool was_first = place.is_first();
        boost::system::error_code ignored;
        co_await place.timer(pause).async_wait(asio::redirect_error(asio::use_awaitable, ignored));
        asio::cancellation_state state = co_await asio::this_coro::cancellation_state;
        if (state.cancelled() != asio::cancellation_type::none) co_return cancelled();
        if (!place.is_first()) continue;
        auto shell = spawn_shell(request);
        if (shell || !is_shortage(shell.error())) co_return shell;
        tell(shell.error());
        if (was_first) pause = std::min<Clock::duration>(2 * pause, longest_pause);
    }
}

void child_has_ended() {
    Place::wake_first();
}

}  // namespace process
