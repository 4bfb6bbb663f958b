#include "mcp/waiting.hpp"

namespace mcp {

namespace {

constexpr std::chrono::seconds default_wait{30};
constexpr std::int64_t longest_wait = 45;
constexpr std::chrono::seconds progress_interval{5};

}  // namespace

Waiting::Waiting(boost::asio::any_io_executor executor, Server& server, CallId call,
                 std::chrono::seconds longest)
    : timer_(executor), server_(server), call_(call), longest_(longest) {
    if (server_.wants_progress(call)) report();
}

void Waiting::report() {
    auto waited = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    server_.progressed(call_, waited, static_cast<double>(longest_.count()), "waiting");
    timer_.expires_after(progress_interval);
    timer_.async_wait([this, alive = std::weak_ptr(alive_)](boost::system::error_code ec) {
        if (!ec && !alive.expired()) report();
    });
}

std::chrono::seconds wait_in(Arguments& arguments) {
    return std::chrono::seconds(arguments.integer("wait_seconds", 1, longest_wait, default_wait.count()));
}

}  // namespace mcp
