// Searches the log of a run for `barnum serve`.
#pragma once

#include "http/message.hpp"
#include "serve/route.hpp"
#include "serve_shell/context.hpp"

#include <boost/asio/awaitable.hpp>

namespace serve_shell {

boost::asio::awaitable<http::Response> search_response(ServeContext& context, serve::Route route,
                                                       const http::Request& request);

}  // namespace serve_shell
