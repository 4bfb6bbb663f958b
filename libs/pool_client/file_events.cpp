#include "pool_client/file_events.hpp"

#include "io/log.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>

namespace pool_client {

namespace asio = boost::asio;

namespace {

constexpr std::chrono::milliseconds first_poll{50};
constexpr std::chrono::milliseconds last_poll{500};

}  // namespace

FileEvents::FileEvents(asio::any_io_executor executor, io::DirectoryWatch& watch,
                       const std::string& directory, std::vector<std::string> names)
    : names_(std::move(names)), timer_(executor), poll_interval_(first_poll) {
    auto subscribed = watch.watch(directory, [this](const io::DirectoryEvent& event) { happened(event); });
    if (subscribed.has_value())
        subscription_ = std::move(*subscribed);
    else
        io::log::debug(subscribed.error().message, "; polling instead");
}

void FileEvents::happened(const io::DirectoryEvent& event) {
    if (!event.name.empty() && std::find(names_.begin(), names_.end(), event.name) == names_.end()) return;
    pending_ = true;
    timer_.cancel();
}

asio::awaitable<void> FileEvents::next(std::chrono::steady_clock::time_point deadline) {
    if (!std::exchange(pending_, false)) {
        auto until = deadline;
        if (!subscription_) {
            until = std::min(until, std::chrono::steady_clock::now() + poll_interval_);
            poll_interval_ = std::min(2 * poll_interval_, last_poll);
        }
        timer_.expires_at(until);
        boost::system::error_code ignored;
        co_await timer_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
        pending_ = false;
    }
    asio::cancellation_state state = co_await asio::this_coro::cancellation_state;
    if (state.cancelled() != asio::cancellation_type::none)
        throw boost::system::system_error(asio::error::operation_aborted);
}

}  // namespace pool_client
