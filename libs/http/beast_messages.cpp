#include "http/beast_messages.hpp"

#include "base/text.hpp"

#include <boost/beast/http/error.hpp>
#include <boost/beast/http/write.hpp>

#include <array>
#include <charconv>
#include <chrono>
#include <iomanip>
#include <locale>
#include <sstream>

namespace http {

namespace {

// "Sun, 06 Nov 1994 08:49:37 GMT"
std::string date_text(std::chrono::system_clock::time_point now) {
    std::time_t time = std::chrono::system_clock::to_time_t(now);
    std::tm parts{};
    ::gmtime_r(&time, &parts);
    std::ostringstream out;
    out.imbue(std::locale::classic());
    out << std::put_time(&parts, "%a, %d %b %Y %H:%M:%S GMT");
    return out.str();
}

}  // namespace

Request from_beast(BeastRequest message) {
    Request request;
    request.method = message.method_string();
    request.target = message.target();
    for (const auto& field : message)
        request.fields.emplace_back(field.name_string(), field.value());
    request.body = std::move(message.body());
    return request;
}

BeastResponse to_beast(const Response& response, unsigned version, bool keep_alive) {
    BeastResponse message(static_cast<beast_http::status>(response.status), version);
    message.set(beast_http::field::date, date_text(std::chrono::system_clock::now()));
    message.set(beast_http::field::content_type, response.content_type);
    message.set(beast_http::field::cache_control, "no-store");
    message.set("X-Content-Type-Options", "nosniff");
    for (const auto& [name, value] : response.fields)
        message.set(name, value);
    message.keep_alive(keep_alive && !response.stream);
    if (response.stream) {
        message.chunked(version >= 11);
        return message;
    }
    std::string_view body = response.constant_body.empty() ? response.body : response.constant_body;
    message.body() = {body.data(), body.size()};
    message.content_length(body.size());
    return message;
}

std::string header_text(const BeastResponse& response) {
    std::ostringstream out;
    out.imbue(std::locale::classic());
    out << response.base();
    return out.str();
}

std::string chunk_of(std::string_view piece) {
    std::array<char, 2 * sizeof(std::size_t)> digits;
    char* end = std::to_chars(digits.data(), digits.data() + digits.size(), piece.size(), 16).ptr;
    return base::concat(std::string_view(digits.data(), end), "\r\n", piece, "\r\n");
}

std::optional<Response> response_to_mistake(boost::system::error_code ec) {
    using Mistake = beast_http::error;
    if (ec == Mistake::header_limit || ec == Mistake::buffer_overflow)
        return text_response(431, "The header of the request is too long.");
    if (ec == Mistake::body_limit) return text_response(413, "The body of the request is too long.");
    if (ec == Mistake::end_of_stream || ec == Mistake::partial_message) return std::nullopt;
    if (ec.category() == beast_http::make_error_code(Mistake::bad_method).category())
        return text_response(400, "This is not a valid HTTP request.");
    return std::nullopt;
}

}  // namespace http
