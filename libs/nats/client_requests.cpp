#include "nats/client_parts.hpp"

#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace nats {

namespace asio = boost::asio;

namespace {

asio::awaitable<base::Result<Message>> refused_reply(base::Error error) {
    co_return error;
}

}  // namespace

base::Result<void> Client::publish(const Outgoing& message) {
    auto published = session_.publish(message);
    pump();
    return published;
}

asio::awaitable<void> Client::drained(std::size_t bytes) {
    boost::system::error_code ignored;
    while (!has_ended_ && waiting_bytes() > bytes) {
        co_await written_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
        co_await asio::post(executor_, asio::use_awaitable);  // throws if this was cancelled
    }
}

std::shared_ptr<Client::Waiter> Client::wait_for(RequestId request) {
    auto waiter = std::make_shared<Waiter>(executor_);
    replies_.emplace(request, [waiter](base::Result<Message> reply) {
        waiter->reply = std::move(reply);
        waiter->arrival.cancel();
    });
    pump();
    return waiter;
}

asio::awaitable<base::Result<Message>> Client::request(const Outgoing& message, Duration timeout) {
    auto id = session_.request(message, now() + timeout);
    if (id.has_error()) return refused_reply(id.error());
    return reply_to(*id, wait_for(*id));
}

base::Result<void> Client::request(const Outgoing& message, Duration timeout, OnReply& on_reply) {
    auto id = session_.request(message, now() + timeout);
    if (id.has_error()) return id.error();
    replies_.emplace(*id, std::move(on_reply));
    pump();
    return {};
}

void Client::reconnect(base::Error reason) {
    session_.give_up(std::move(reason), now());
    pump();
}

asio::awaitable<base::Result<void>> Client::flush(Duration timeout) {
    RequestId id = session_.flush(now() + timeout);
    return flushed(id, wait_for(id));
}

asio::awaitable<base::Result<Message>> Client::reply_to(RequestId request, std::shared_ptr<Waiter> waiter) {
    // A caller that was cancelled wants no reply.
    struct Withdrawal {
        Client& client;
        RequestId request;
        ~Withdrawal() {
            if (client.replies_.erase(request) > 0) client.session_.withdraw(request);
        }
    } withdrawal{*this, request};
    boost::system::error_code ignored;
    while (!waiter->reply) {
        co_await waiter->arrival.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
        auto cancellation = co_await asio::this_coro::cancellation_state;
        if (!waiter->reply && cancellation.cancelled() != asio::cancellation_type::none)
            throw boost::system::system_error(asio::error::operation_aborted);
    }
    co_return std::move(*waiter->reply);
}

asio::awaitable<base::Result<void>> Client::flushed(RequestId request, std::shared_ptr<Waiter> waiter) {
    auto reply = co_await reply_to(request, std::move(waiter));
    if (reply.has_error()) co_return reply.error();
    co_return base::Result<void>();
}

base::Result<Subscription> Client::subscribe(std::string subject, OnMessage on_message,
                                             OnInterrupted on_interrupted, std::string queue) {
    auto id = session_.subscribe(std::move(subject), std::move(queue));
    if (id.has_error()) return id.error();
    handlers_.emplace(*id,
                      std::make_shared<Handlers>(Handlers{std::move(on_message), std::move(on_interrupted)}));
    pump();
    return Subscription(*this, *id);
}

void Client::unsubscribe(SubscriptionId subscription) {
    handlers_.erase(subscription);
    session_.unsubscribe(subscription);
    pump();
}

Subscription& Subscription::operator=(Subscription&& other) noexcept {
    if (this == &other) return *this;
    end();
    client_ = std::exchange(other.client_, nullptr);
    id_ = other.id_;
    return *this;
}

void Subscription::end() {
    if (client_ != nullptr) std::exchange(client_, nullptr)->unsubscribe(id_);
}

}  // namespace nats
