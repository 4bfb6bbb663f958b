// The responses of `barnum serve` about one run: the run, its trace and its tasks.
#pragma once

#include "http/message.hpp"
#include "serve/route.hpp"
#include "serve_shell/context.hpp"

#include <boost/asio/awaitable.hpp>

namespace serve_shell {

http::Response runs_response(ServeContext& context);
boost::asio::awaitable<http::Response> run_response(ServeContext& context, serve::Route route);
boost::asio::awaitable<http::Response> trace_response(ServeContext& context, serve::Route route,
                                                      const http::Request& request);
boost::asio::awaitable<http::Response> task_response(ServeContext& context, serve::Route route);
// What `barnum why` prints.
boost::asio::awaitable<http::Response> why_response(ServeContext& context, serve::Route route);

}  // namespace serve_shell
