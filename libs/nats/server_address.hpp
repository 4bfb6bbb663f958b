// Where NATS servers are: "nats://h1:4222,tls://h2". Does not look up names. Pure.
#pragma once

#include "base/error.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nats {

struct ServerAddress {
    std::string host;  // a name or an IP address, without brackets
    std::uint16_t port = 4222;
    bool uses_tls = false;              // no connection without TLS
    std::string certificate_name = {};  // what the server's certificate must be for, with TLS

    friend bool operator==(const ServerAddress&, const ServerAddress&) = default;
};

// Addresses between commas, each of the form [nats://|tls://]HOST[:PORT]. There is at least one. An error
// says what is wrong with which of them.
base::Result<std::vector<ServerAddress>> parse_server_addresses(std::string_view list);

// The address of another server of the cluster, "HOST:PORT", as the server `source` announces it. TLS is used
// as with `source`; if it is an IP address, the certificate must be for the name of `source`.
std::optional<ServerAddress> parse_cluster_address(std::string_view text, const ServerAddress& source);

// "h1:4222", "[::1]:4222"
std::string address_text(const ServerAddress& address);

}  // namespace nats
