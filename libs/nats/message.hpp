// A message as it is received.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace nats {

// Ends a line of the protocol, and of a header.
inline constexpr std::string_view line_end = "\r\n";

// The number of a subscription on a connection.
using SubscriptionId = std::uint64_t;

struct Message {
    SubscriptionId subscription = 0;
    std::string subject;
    std::string reply;    // where an answer goes to; may be empty
    std::string headers;  // a block (nats/headers); empty if there are none
    std::string payload;
};

}  // namespace nats
