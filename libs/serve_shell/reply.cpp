#include "serve_shell/reply.hpp"

#include "base/text.hpp"
#include "json/json.hpp"
#include "serve_shell/http_status.hpp"

#include <boost/system/errc.hpp>

#include <utility>

namespace serve_shell {

namespace {

constexpr unsigned internal_error = 500;

unsigned status_of(const base::Error& error) {
    namespace errc = boost::system::errc;
    if (error.code == errc::no_such_file_or_directory) return not_found;
    if (error.code == errc::invalid_argument) return conflict;
    return internal_error;
}

}  // namespace

http::Response json_reply(std::string json) {
    http::Response response;
    response.content_type = "application/json";
    response.body = std::move(json);
    return response;
}

http::Response message_reply(std::string_view message) {
    return json_reply(base::concat("{\"message\":", json::quote(message), "}"));
}

http::Response error_reply(unsigned status, std::string_view sentence) {
    http::Response response = json_reply(base::concat("{\"error\":", json::quote(sentence), "}"));
    response.status = status;
    return response;
}

http::Response error_reply(const base::Error& error) {
    return error_reply(status_of(error), error.message);
}

http::Response events_reply(http::BodyProducer producer) {
    http::Response response;
    response.content_type = "text/event-stream";
    response.stream = std::move(producer);
    return response;
}

}  // namespace serve_shell
