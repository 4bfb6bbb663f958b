#include "nats/jetstream.hpp"

#include "base/text.hpp"
#include "io/active_clock.hpp"
#include "io/bell.hpp"
#include "nats/api_error.hpp"
#include "nats/error.hpp"
#include "nats/pull.hpp"

#include <boost/asio/this_coro.hpp>

namespace nats {

namespace asio = boost::asio;

namespace {

Time now() {
    return Time(io::ActiveClock::now().time_since_epoch());
}

// Says what could not be done; where nobody answers, that may be for want of JetStream.
base::Error explained(const ApiCall& call, base::Error error) {
    if (error.code == Errc::no_responders)
        error.message = "no server answers for it; JetStream may be off, or the stream has no leader now";
    return base::with_context(call.what, std::move(error));
}

}  // namespace

template<class T>
JetStream::Answer<T> JetStream::answer(ApiCall call, base::Result<T> (*parse)(const Message& reply)) {
    Outgoing message{call.subject, call.body};
    base::Result<Message> reply = co_await client_.request(message, timeout_);
    if (reply.has_error()) co_return explained(call, reply.error());
    base::Result<T> result = parse(*reply);
    if (result.has_error()) co_return explained(call, result.error());
    co_return result;
}

JetStream::Answer<Stored> JetStream::publish(const Outgoing& message) {
    return stored(client_.request(message, timeout_));
}

JetStream::Answer<Stored> JetStream::stored(asio::awaitable<base::Result<Message>> waiting) {
    base::Result<Message> reply = co_await std::move(waiting);
    if (reply.has_error()) co_return reply.error();
    co_return parse_stored(*reply);
}

JetStream::Answer<StreamInfo> JetStream::create_stream(const StreamConfig& config) {
    return answer(nats::create_stream(config), parse_stream_info);
}

JetStream::Answer<StreamInfo> JetStream::update_stream(const StreamInfo& found, const StreamConfig& wanted,
                                                       const std::vector<std::string_view>& members) {
    return answer(nats::update_stream(found, wanted, members), parse_stream_info);
}

JetStream::Answer<AccountInfo> JetStream::account_info() {
    return answer(nats::account_info(), parse_account_info);
}

JetStream::Answer<StreamInfo> JetStream::stream_info(const std::string& stream) {
    return answer(nats::stream_info(stream), parse_stream_info);
}

JetStream::Answer<ConsumerInfo> JetStream::create_consumer(const std::string& stream,
                                                           const ConsumerConfig& config) {
    return answer(nats::create_consumer(stream, config), parse_consumer_info);
}

JetStream::Answer<ConsumerInfo> JetStream::consumer_info(const std::string& stream,
                                                         const std::string& consumer) {
    return answer(nats::consumer_info(stream, consumer), parse_consumer_info);
}

JetStream::Answer<std::vector<ConsumerInfo>> JetStream::consumers(std::string stream) {
    std::vector<ConsumerInfo> all;
    while (true) {
        auto list = co_await answer(nats::list_consumers(stream, all.size()), parse_consumer_list);
        if (list.has_error()) co_return list.error();
        for (ConsumerInfo& consumer : list->consumers)
            all.push_back(std::move(consumer));
        if (list->consumers.empty() || all.size() >= list->total) co_return all;
    }
}

JetStream::Answer<std::optional<StoredMessage>> JetStream::last_by_leader(const std::string& stream,
                                                                          const std::string& subject) {
    return answer(nats::last_by_leader(stream, subject), parse_message_of_leader);
}

JetStream::Answer<std::optional<StoredMessage>> JetStream::last_direct(const std::string& stream,
                                                                       const std::string& subject) {
    return answer(nats::last_direct(stream, subject), parse_direct_message);
}

JetStream::Answer<bool> JetStream::delete_message(const std::string& stream, std::uint64_t sequence) {
    return answer(nats::delete_message(stream, sequence), parse_deleted);
}

JetStream::Answer<std::uint64_t> JetStream::purge(const std::string& stream, const std::string& filter,
                                                  std::uint64_t before) {
    return answer(nats::purge(stream, filter, before), parse_purged);
}

asio::awaitable<base::Result<void>> JetStream::pull(const std::string& stream, const std::string& consumer,
                                                    const PullRequest& request,
                                                    Client::OnMessage on_message) {
    return carry_out(nats::pull(stream, consumer, request), request.expires, request.heartbeat, request.batch,
                     std::move(on_message));
}

// Messages have their own subjects, so each pull has an inbox of its own.
asio::awaitable<base::Result<void>> JetStream::carry_out(ApiCall call, Nanoseconds expires,
                                                         Nanoseconds heartbeat, std::size_t batch,
                                                         Client::OnMessage on_message) {
    PullRequest request{batch, expires, heartbeat};
    Pull pull(request, now());
    io::Bell over(co_await asio::this_coro::executor);
    auto take = [&](Message message) {
        if (pull.is_over()) return;
        if (pull.received(message, now())) on_message(std::move(message));
        if (pull.is_over()) over.ring();
    };
    auto interrupt = [&](const base::Error& error) {
        if (!pull.is_over()) pull.interrupted(error);
        over.ring();
    };
    std::string inbox = client_.new_inbox();
    auto subscription = client_.subscribe(inbox, take, interrupt);
    if (subscription.has_error()) co_return explained(call, subscription.error());
    Outgoing message{call.subject, call.body, {}, inbox};
    auto published = client_.publish(message);
    if (published.has_error()) co_return explained(call, published.error());
    while (!pull.is_over()) {
        co_await over.wait(pull.next_deadline() - now());
        pull.time_passed(now());
    }
    if (pull.result().has_error()) co_return base::with_context(call.what, pull.result().error());
    co_return base::Result<void>();
}

base::Result<void> JetStream::respond(const std::string& reply, std::string_view text) {
    Outgoing message{reply, text};
    return client_.publish(message);
}

}  // namespace nats
