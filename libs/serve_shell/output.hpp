// What the commands of a task have written and write, as events (docs/serve.md, "For programs").
#pragma once

#include "http/message.hpp"
#include "serve/route.hpp"
#include "serve_shell/context.hpp"

#include <boost/asio/awaitable.hpp>

namespace serve_shell {

boost::asio::awaitable<http::Response> output_response(ServeContext& context, serve::Route route);

}  // namespace serve_shell
