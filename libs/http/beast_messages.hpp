// Between this room's messages and Boost.Beast's. For the implementation of the server.
#pragma once

#include "http/message.hpp"

#include <boost/beast/http/message.hpp>
#include <boost/beast/http/span_body.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/system/error_code.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace http {

namespace beast_http = boost::beast::http;

using BeastRequest = beast_http::request<beast_http::string_body>;
using BeastResponse = beast_http::response<beast_http::span_body<const char>>;

Request from_beast(BeastRequest message);

// The response with the fields that every one has; of one with a stream, only the header. `version`: 11 for
// HTTP/1.1. The body remains in `response`.
BeastResponse to_beast(const Response& response, unsigned version, bool keep_alive);

// The status line and fields of the response, as they are sent.
std::string header_text(const BeastResponse& response);

// A piece of a body in the transfer coding "chunked". `piece` is not empty: an empty one ends a body.
std::string chunk_of(std::string_view piece);

// What a client is told whose request could not be read; nothing if the connection is gone or timed out.
std::optional<Response> response_to_mistake(boost::system::error_code ec);

}  // namespace http
