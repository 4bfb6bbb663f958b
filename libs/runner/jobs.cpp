#include "runner/jobs.hpp"

#include <boost/asio/error.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>

namespace runner {

namespace asio = boost::asio;

void Job::release() {
    if (jobs_) std::exchange(jobs_, nullptr)->free_one();
}

Jobs::Jobs(asio::any_io_executor executor, std::size_t limit, std::function<void()> on_free)
    : executor_(std::move(executor)), limit_(limit), on_free_(std::move(on_free)) {}

Job Jobs::try_acquire() {
    if (taken_ >= limit_) return Job();
    ++taken_;
    return Job(this);
}

asio::awaitable<Job> Jobs::acquire(std::int32_t priority) {
    if (Job job = try_acquire()) co_return job;
    Waiter waiter{asio::steady_timer(executor_, asio::steady_timer::time_point::max())};
    auto place = waiters_.emplace(priority, &waiter);
    boost::system::error_code ignored;
    co_await waiter.granted_timer.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    if (waiter.granted) co_return Job(this);
    waiters_.erase(place);
    throw boost::system::system_error(asio::error::operation_aborted);
}

void Jobs::set_limit(std::size_t limit) {
    limit_ = limit;
    give_free();
}

void Jobs::free_one() {
    --taken_;
    give_free();
}

void Jobs::give_free() {
    while (!waiters_.empty() && taken_ < limit_) {
        Waiter* next = waiters_.begin()->second;
        waiters_.erase(waiters_.begin());
        ++taken_;
        next->granted = true;
        next->granted_timer.cancel();
    }
    if (taken_ < limit_) on_free_();
}

}  // namespace runner
