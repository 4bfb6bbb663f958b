// The address that a server listens on, as users write it: "127.0.0.1:7420", "[::1]:7420". Pure.
#pragma once

#include "base/error.hpp"

#include <boost/asio/ip/tcp.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace http {

using Address = boost::asio::ip::tcp::endpoint;

// An error says what is expected. A port of 0 stands for any free one. Names other than "localhost"
// (127.0.0.1) are not resolved.
base::Result<Address> parse_address(std::string_view text);

std::string address_text(const Address& address);

// The host in a request's field Host, which is "NAME", "NAME:PORT", or the same with an IP address.
struct Host {
    std::string name;
    std::optional<boost::asio::ip::address> ip;  // for "localhost", 127.0.0.1
};

// Nothing if it is not written as that. A name is not checked further.
std::optional<Host> parse_host(std::string_view field);

// Whether the value of a request's field Host can only be that of a client who was given this machine's
// address: an IP address or "localhost", with or without a port, or nothing. A page of a stranger, whose name
// resolves to this machine (DNS rebinding), has its own name there.
bool is_own_host(std::string_view host);

}  // namespace http
