// JetStream, the part of NATS servers that stores messages: its calls as coroutines. Decides nothing:
// requests and replies are made in nats/api, and what becomes of a pull in nats/pull.
#pragma once

#include "base/error.hpp"
#include "nats/api.hpp"
#include "nats/client.hpp"

#include <boost/asio/awaitable.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace nats {

// All calls from the executor's thread. The client must outlive it, and it the calls. Arguments are taken
// before a call returns its awaitable. Errors: those of a request (Errc), and those of the API (ApiErrc).
class JetStream {
  public:
    template<class T>
    using Answer = boost::asio::awaitable<base::Result<T>>;

    // `timeout`: of each call.
    explicit JetStream(Client& client, Duration timeout = std::chrono::seconds(5))
        : client_(client), timeout_(timeout) {}

    // Returns when the message is stored. It has no reply of its own.
    Answer<Stored> publish(const Outgoing& message);

    // Creating what is there already, with the same configuration, succeeds.
    Answer<StreamInfo> create_stream(const StreamConfig& config);
    // Changes the named members of the stream's configuration.
    Answer<StreamInfo> update_stream(const StreamInfo& found, const StreamConfig& wanted,
                                     const std::vector<std::string_view>& members);
    Answer<AccountInfo> account_info();
    Answer<StreamInfo> stream_info(const std::string& stream);
    // Creates the consumer, or changes it.
    Answer<ConsumerInfo> create_consumer(const std::string& stream, const ConsumerConfig& config);
    Answer<ConsumerInfo> consumer_info(const std::string& stream, const std::string& consumer);
    // All consumers of the stream.
    Answer<std::vector<ConsumerInfo>> consumers(std::string stream);

    // The last message of the subject. What any replica answers may be old; what the leader answers is not.
    Answer<std::optional<StoredMessage>> last_by_leader(const std::string& stream,
                                                        const std::string& subject);
    Answer<std::optional<StoredMessage>> last_direct(const std::string& stream, const std::string& subject);
    // Whether the message was there.
    Answer<bool> delete_message(const std::string& stream, std::uint64_t sequence);
    // How many messages were removed. Without a filter and with a `before` that the stream has not reached,
    // its next message gets that sequence.
    Answer<std::uint64_t> purge(const std::string& stream, const std::string& filter,
                                std::uint64_t before = 0);

    // Gives each message of the pull to `on_message`, and returns when the pull is over (Pull::result). A
    // terminal cancellation ends it, and what the server sends afterwards is delivered again after its
    // ack_wait.
    boost::asio::awaitable<base::Result<void>> pull(const std::string& stream, const std::string& consumer,
                                                    const PullRequest& request, Client::OnMessage on_message);

    // `reply`: of the delivered message. Sent at most once: one that is lost is as if it was not made.
    base::Result<void> acknowledge(const std::string& reply) { return respond(reply, acknowledgement); }
    base::Result<void> extend(const std::string& reply) { return respond(reply, in_progress); }
    base::Result<void> terminate(const std::string& reply) { return respond(reply, never_again); }
    base::Result<void> give_back(const std::string& reply, Nanoseconds delay = Nanoseconds(0)) {
        return respond(reply, not_now(delay));
    }

  private:
    template<class T>
    Answer<T> answer(ApiCall call, base::Result<T> (*parse)(const Message& reply));
    Answer<Stored> stored(boost::asio::awaitable<base::Result<Message>> waiting);
    boost::asio::awaitable<base::Result<void>> carry_out(ApiCall call, Nanoseconds expires,
                                                         Nanoseconds heartbeat, std::size_t batch,
                                                         Client::OnMessage on_message);
    base::Result<void> respond(const std::string& reply, std::string_view text);

    Client& client_;
    Duration timeout_;
};

}  // namespace nats
