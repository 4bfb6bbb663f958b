// The addresses of a host. Does not block the event loop, whatever the name servers do.
#pragma once

#include "base/error.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace io {

// `host`: an IP address, "localhost", or a name, which is looked up in a thread of its own. The C library
// cannot interrupt a look-up, so after a terminal cancellation, which throws operation_aborted at once, that
// thread goes on for as long as the name servers let it wait. An error says what to do. At least one address.
boost::asio::awaitable<base::Result<std::vector<boost::asio::ip::tcp::endpoint>>> look_up(std::string host,
                                                                                          std::uint16_t port);

}  // namespace io
