// What a NATS server says of itself: at the beginning of a connection, and when something has changed. Pure.
#pragma once

#include "base/error.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace nats {

struct ServerInfo {
    std::string name;                                // of the server; its id if it has no name
    std::string version;                             // "2.9.10"
    std::string cluster;                             // may be empty
    std::string nonce;                               // to be signed by clients with a key; may be empty
    std::size_t max_payload = std::size_t{1} << 20;  // in bytes, of headers and payload together
    bool has_headers = false;
    bool has_jetstream = false;
    bool needs_login = false;
    bool needs_tls = false;
    bool offers_tls = false;             // or needs it
    bool is_lame_duck = false;           // it shuts down, and closes its connections over the next minutes
    std::vector<std::string> addresses;  // "HOST:PORT" of the cluster's servers, at most 256
};

// `json` may be of any content. Errc::protocol if it is no object of JSON, or a member has a wrong type.
base::Result<ServerInfo> parse_server_info(std::string_view json);

}  // namespace nats
