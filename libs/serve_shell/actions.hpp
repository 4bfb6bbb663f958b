// What `barnum serve` does to a run for whoever has the token: pause, continue, cancel, scale, retry, answer.
#pragma once

#include "http/message.hpp"
#include "serve/route.hpp"
#include "serve_shell/context.hpp"

#include <boost/asio/awaitable.hpp>

namespace serve_shell {

// Answers a request that changes a run. Logs who did what.
boost::asio::awaitable<http::Response> action_response(ServeContext& context, serve::Route route,
                                                       const http::Request& request);

}  // namespace serve_shell
