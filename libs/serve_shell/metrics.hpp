// /metrics and /api/pools of `barnum serve` (docs/metrics.md).
#pragma once

#include "http/message.hpp"
#include "serve_shell/context.hpp"

#include <boost/asio/awaitable.hpp>

namespace serve_shell {

boost::asio::awaitable<http::Response> metrics_response(ServeContext& context, const http::Request& request);
boost::asio::awaitable<http::Response> pools_response(ServeContext& context);

}  // namespace serve_shell
