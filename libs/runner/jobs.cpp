#include "runner/jobs.hpp"

#include <boost/asio/error.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>

namespace runner {

namespace asio = boost::asio;

void Job::release() {
    if (jobs_) std::exchange(jobs_, nullptr)->take_back();
}

Jobs::Jobs(asio::any_io_executor executor, std::size_t limit, std::function<void()> on_free)
    : executor_(std::move(executor)), free_(limit), on_free_(std::move(on_free)) {}

Job Jobs::try_acquire() {
    if (free_ == 0) return Job();
    --free_;
    return Job(this);
}

asio::awaitable<Job> Jobs::acquire() {
    if (Job job = try_acquire()) co_return job;
    Waiter waiter{asio::steady_timer(executor_, asio::steady_timer::time_point::max())};
    auto place = waiters_.insert(waiters_.end(), &waiter);
    boost::system::error_code ignored;
    co_await waiter.granted_timer.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    if (waiter.granted) co_return Job(this);
    waiters_.erase(place);
    throw boost::system::system_error(asio::error::operation_aborted);
}

void Jobs::take_back() {
    if (waiters_.empty()) {
        ++free_;
        on_free_();
        return;
    }
    Waiter* next = waiters_.front();
    waiters_.pop_front();
    next->granted = true;
    next->granted_timer.cancel();
}

}  // namespace runner
