// A request and a response of HTTP, as the handlers of http::Server see them. Pure.
#pragma once

#include "http/response_stream.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace http {

using Fields = std::vector<std::pair<std::string, std::string>>;

struct Request {
    std::string method;  // as it was sent: "GET"
    std::string target;  // as it was sent, with the query: "/runs?state=failed"
    Fields fields;       // in the order of their sending
    std::string body;
    std::string client = {};  // the address and the port of the other end, if they are known

    // The target without the query, as it was sent.
    std::string_view path() const;
    // The value of the first field with this name, which is compared without regard to case; "" if there is
    // none.
    std::string_view field(std::string_view name) const;
};

struct Response {
    unsigned status = 200;
    std::string content_type = "text/plain; charset=utf-8";
    std::string body;
    std::string_view constant_body =
        {};                    // instead of `body`: a text that is never destroyed. It is not copied
    Fields fields = {};        // besides Content-Type, Content-Length, Connection and the server's own
    BodyProducer stream = {};  // if there is one, it makes the body. The connection is closed at its end
};

// A response that is a line of text for people.
Response text_response(unsigned status, std::string text);

// 405, with the methods that are allowed: "GET, HEAD".
Response method_not_allowed(std::string_view allowed);

}  // namespace http
