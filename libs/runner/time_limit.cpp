#include "runner/time_limit.hpp"

#include <utility>

namespace runner {

TimeLimit::TimeLimit(boost::asio::any_io_executor executor, std::chrono::duration<double> limit,
                     std::function<void()> on_end)
    : timer_(std::move(executor)),
      left_(std::chrono::ceil<io::ActiveClock::duration>(limit)),
      on_end_(std::move(on_end)) {}

void TimeLimit::go_on() {
    if (std::exchange(counts_, true)) return;
    timer_.expires_after(left_);
    timer_.async_wait([this](boost::system::error_code ec) {
        if (!ec && on_end_) std::exchange(on_end_, nullptr)();
    });
}

void TimeLimit::pause() {
    if (!std::exchange(counts_, false)) return;
    left_ = timer_.expiry() - io::ActiveClock::now();
    timer_.cancel();
}

}  // namespace runner
