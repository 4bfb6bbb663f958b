// A connection of http::Server with TLS.
#pragma once

#include "http/connection.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>

#include <memory>

namespace tls {

// `context` must outlive the call only.
std::shared_ptr<http::Connection> make_connection(boost::asio::ip::tcp::socket socket,
                                                  boost::asio::ssl::context& context);

}  // namespace tls
