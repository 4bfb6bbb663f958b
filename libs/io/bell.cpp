#include "io/bell.hpp"

#include <boost/asio/error.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>

#include <utility>

namespace io {

namespace asio = boost::asio;

void Bell::ring() {
    has_rung_ = true;
    timer_.cancel();
}

asio::awaitable<void> Bell::wait(std::chrono::steady_clock::duration longest) {
    if (std::exchange(has_rung_, false)) co_return;
    timer_.expires_after(longest);
    boost::system::error_code ignored;
    co_await timer_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    has_rung_ = false;
    auto cancellation = co_await asio::this_coro::cancellation_state;
    if (cancellation.cancelled() != asio::cancellation_type::none)
        throw boost::system::system_error(asio::error::operation_aborted);
}

Bells::Watch Bells::add(Bell& bell) {
    if (!bells_) bells_ = std::make_shared<std::list<Bell*>>();
    return {bells_, bells_->insert(bells_->end(), &bell)};
}

void Bells::ring() const {
    if (!bells_) return;
    for (Bell* bell : *bells_)
        bell->ring();
}

Bells::Watch& Bells::Watch::operator=(Watch&& other) noexcept {
    end();
    bells_ = std::move(other.bells_);
    place_ = other.place_;
    return *this;
}

void Bells::Watch::end() {
    if (bells_) bells_->erase(place_);
    bells_.reset();
}

}  // namespace io
