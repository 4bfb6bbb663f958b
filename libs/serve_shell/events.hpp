// The live events of `barnum serve` (docs/serve.md, "Events"): what has changed of the list of runs, the
// pools and one run, as server-sent events. A client that reads slowly gets fewer and larger ones.
#pragma once

#include "http/message.hpp"
#include "serve_shell/context.hpp"

#include <boost/asio/awaitable.hpp>

namespace serve_shell {

boost::asio::awaitable<http::Response> events_response(ServeContext& context, const http::Request& request);

}  // namespace serve_shell
