// What waits for a person, in all runs, for `barnum serve`.
#pragma once

#include "http/message.hpp"
#include "serve_shell/context.hpp"

#include <boost/asio/awaitable.hpp>

namespace serve_shell {

boost::asio::awaitable<http::Response> questions_response(ServeContext& context);

}  // namespace serve_shell
