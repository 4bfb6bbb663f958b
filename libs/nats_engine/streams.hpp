// The streams and consumers of a pool: how they are to be, which of what is there will do, and what follows
// from when they were created. Pure.
#pragma once

#include "edge/engine.hpp"
#include "nats/api.hpp"
#include "nats_engine/names.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nats_engine {

// Tasks of one queue that hosts may have at a time.
inline constexpr std::int64_t most_unacknowledged = 200'000;

nats::StreamConfig queue_stream(const Names& names, int replicas);
nats::StreamConfig record_stream(const Names& names, int replicas);
nats::ConsumerConfig consumer(const Names& names, const edge::Queue& queue, edge::Duration lease);

// A stream as it was found, and as it should be.
struct FoundStream {
    nats::StreamInfo info;
    nats::StreamConfig wanted;
};

// Why tasks could be lost or done twice with these streams, in a sentence. Replicas, sizes and ages may be
// different from what is wanted.
std::optional<std::string> problem_of(const FoundStream& queue, const FoundStream& records);

// Bytes that a message of the stream may have.
std::size_t longest_message(const nats::StreamInfo& stream, std::size_t max_payload);
// Bytes that content or response may have in such a message, with what belongs to them.
std::size_t text_bytes(std::size_t longest_message);

// What makes a stream what it should be.
struct StreamChange {
    nats::StreamInfo found;
    nats::StreamConfig wanted;
    std::vector<std::string_view> members;  // of the configuration, as the server names them
};
// More replicas than there are count as well. Empty: nothing is to be changed. The server does not allow all
// changes.
std::vector<StreamChange> changes_for(const FoundStream& queue, const FoundStream& records);

// Another one if one of the streams was created anew.
edge::StoreId store_id(const nats::StreamInfo& queue, const nats::StreamInfo& records);

// The first sequence of the records, the same for all edges: microseconds since 1970, when the stream was
// created. It is above all sequences of an earlier stream, unless a stream took more than a million messages
// each second.
std::uint64_t first_version(const nats::StreamInfo& records);

}  // namespace nats_engine
