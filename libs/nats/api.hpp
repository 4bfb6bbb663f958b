// The calls of JetStream, the part of NATS servers that stores messages, as requests and replies. Pure: who
// sends them is nats/jetstream.
#pragma once

#include "base/error.hpp"
#include "nats/message.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace nats {

using Nanoseconds = std::chrono::nanoseconds;
using WallTime = std::chrono::sys_time<std::chrono::nanoseconds>;

// What is published under one of its subjects is stored in a stream, in a file.
struct StreamConfig {
    std::string name{};
    std::vector<std::string> subjects{};
    bool is_queue = false;                 // what was acknowledged is removed
    bool refuses_new = false;              // when it is full; otherwise the oldest messages are removed
    bool refuses_new_per_subject = false;  // the same for the limit of each subject
    std::int64_t most_messages = -1;       // -1: no limit, here and below
    std::int64_t most_per_subject = -1;    // messages
    std::int64_t most_bytes = -1;
    std::int64_t longest_message = -1;                       // in bytes
    Nanoseconds max_age{0};                                  // 0: no limit
    Nanoseconds duplicate_window = std::chrono::minutes(2);  // in which an id counts only once
    int replicas = 1;
    bool allows_direct = false;  // any replica may answer last_direct()
    // What is stored under a subject that matches the first is published again under the second. Both empty:
    // nothing is.
    std::string republish_from{};
    std::string republish_to{};

    friend bool operator==(const StreamConfig&, const StreamConfig&) = default;
};

// Messages of a stream are pulled from a consumer, by any number of clients. Each message is to be
// acknowledged in time, or is delivered again.
struct ConsumerConfig {
    std::string name{};
    std::string filter{};  // a pattern of subjects; empty: all of the stream
    Nanoseconds ack_wait = std::chrono::seconds(30);
    std::int64_t most_deliveries = -1;
    std::int64_t most_unacknowledged = 1000;
    std::int64_t most_pulls = 512;  // that wait
    std::string description{};      // any text of up to 4 KiB

    friend bool operator==(const ConsumerConfig&, const ConsumerConfig&) = default;
};

// A server that has a copy of a stream, besides its leader.
struct Replica {
    std::string server;
    bool is_current = false;  // it has all that the leader has
    bool is_offline = false;
};

struct StreamInfo {
    StreamConfig config{};
    std::string config_text{};          // the same as an object of JSON, with all members that the server has
    std::optional<WallTime> created{};  // by the server's clock; empty if it has not said so
    std::uint64_t messages = 0;
    std::uint64_t bytes = 0;
    std::uint64_t first_sequence = 0;
    std::uint64_t last_sequence = 0;
    bool has_leader = true;  // without one, its cluster cannot decide about it
    std::vector<Replica> replicas{};
};

// What an account has of JetStream, and may have. -1: no limit.
struct AccountInfo {
    std::int64_t stored_bytes = 0;
    std::int64_t most_stored_bytes = -1;
    std::int64_t streams = 0;
    std::int64_t most_streams = -1;
    std::int64_t consumers = 0;
    std::int64_t most_consumers = -1;
    std::int64_t most_unacknowledged = -1;  // of a consumer
    bool demands_stream_limits = false;     // each stream must have a limit of bytes
    bool has_limits_by_replicas = false;    // then those above say nothing
};

struct ConsumerInfo {
    ConsumerConfig config{};
    std::uint64_t waiting_messages = 0;  // that were not delivered yet
    std::uint64_t unacknowledged = 0;
    std::uint64_t redelivered = 0;
    std::uint64_t waiting_pulls = 0;
    std::uint64_t acknowledged_up_to = 0;  // all messages up to this sequence of the stream
};

// Some of a stream's consumers: servers list them in pieces.
struct ConsumerList {
    std::vector<ConsumerInfo> consumers{};
    std::size_t total = 0;  // of the stream
};

// The answer to what was published.
struct Stored {
    std::string stream{};
    std::uint64_t sequence = 0;
    bool is_duplicate = false;  // its id was there before: nothing was stored
};

// A message in a stream.
struct StoredMessage {
    std::string subject{};
    std::uint64_t sequence = 0;
    std::string headers{};  // a block (nats/headers)
    std::string payload{};
};

// What the reply subject of a delivered message says.
struct Delivery {
    std::string stream{};
    std::string consumer{};
    std::uint64_t count = 0;     // 1 for the first delivery
    std::uint64_t sequence = 0;  // in the stream
    WallTime time{};             // when it was stored
    std::uint64_t waiting = 0;   // messages that were not delivered yet
};
std::optional<Delivery> parse_delivery(std::string_view reply);

// A request for messages of a consumer.
struct PullRequest {
    std::size_t batch = 1;     // at most so many messages
    Nanoseconds expires{0};    // the server forgets the pull; 0: at once, with what there is
    Nanoseconds heartbeat{0};  // it says so often that it knows the pull; 0: never. At most half of `expires`
};

// ---- headers of what is published ----
inline constexpr std::string_view message_id = "Nats-Msg-Id";
// "0": the subject has no message yet.
inline constexpr std::string_view expected_subject_sequence = "Nats-Expected-Last-Subject-Sequence";

// ---- what is published to the reply subject of a delivered message ----
inline constexpr std::string_view acknowledgement = "+ACK";
inline constexpr std::string_view in_progress = "+WPI";  // its ack_wait begins anew
inline constexpr std::string_view never_again = "+TERM";
std::string not_now(Nanoseconds delay);  // to be delivered again, no sooner than that

// ---- calls ----

// Not an aggregate, because it travels through coroutines, and g++ 12 destroys aggregates there twice.
struct ApiCall {
    ApiCall(std::string of_subject, std::string with_body, std::string purpose)
        : subject(std::move(of_subject)), body(std::move(with_body)), what(std::move(purpose)) {}

    std::string subject;
    std::string body;
    std::string what;  // for errors: "cannot create the stream X"
};
ApiCall create_stream(const StreamConfig& config);
// Changes the named members of the configuration, as the server names them, to those of `wanted`.
ApiCall update_stream(const StreamInfo& found, const StreamConfig& wanted,
                      const std::vector<std::string_view>& members);
ApiCall account_info();
ApiCall stream_info(const std::string& stream);
ApiCall create_consumer(const std::string& stream, const ConsumerConfig& config);  // or update
ApiCall consumer_info(const std::string& stream, const std::string& consumer);
// All but the first `offset` ones, as far as one reply holds them.
ApiCall list_consumers(const std::string& stream, std::size_t offset);
ApiCall last_by_leader(const std::string& stream, const std::string& subject);
ApiCall last_direct(const std::string& stream, const std::string& subject);
ApiCall delete_message(const std::string& stream, std::uint64_t sequence);
// `filter`: empty: all messages. `before`: only messages with a smaller sequence; 0: all. Without a filter,
// the next message of a stream that has not reached this sequence yet gets it.
ApiCall purge(const std::string& stream, const std::string& filter, std::uint64_t before = 0);
ApiCall pull(const std::string& stream, const std::string& consumer, const PullRequest& request);

// ---- replies, of any content. An error of the API has its code (ApiErrc) ----
base::Result<AccountInfo> parse_account_info(const Message& reply);
base::Result<StreamInfo> parse_stream_info(const Message& reply);
base::Result<ConsumerInfo> parse_consumer_info(const Message& reply);
base::Result<ConsumerList> parse_consumer_list(const Message& reply);
base::Result<Stored> parse_stored(const Message& reply);
// Nothing if there is no such message.
base::Result<std::optional<StoredMessage>> parse_message_of_leader(const Message& reply);
base::Result<std::optional<StoredMessage>> parse_direct_message(const Message& reply);
// Whether there was such a message.
base::Result<bool> parse_deleted(const Message& reply);
base::Result<std::uint64_t> parse_purged(const Message& reply);

}  // namespace nats
