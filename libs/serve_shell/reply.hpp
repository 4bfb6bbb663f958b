// Responses of `barnum serve`.
#pragma once

#include "base/error.hpp"
#include "http/message.hpp"

#include <string>
#include <string_view>

namespace serve_shell {

http::Response json_reply(std::string json);
// {"message": …}
http::Response message_reply(std::string_view message);
// {"error": …}
http::Response error_reply(unsigned status, std::string_view sentence);
// The status follows from the code: 404 for what does not exist, 409 for what is refused, otherwise 500.
http::Response error_reply(const base::Error& error);
// Server-sent events.
http::Response events_reply(http::BodyProducer producer);

}  // namespace serve_shell
