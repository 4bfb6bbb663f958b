// The body of a response that is produced over time, for example as server-sent events.
#pragma once

#include <boost/asio/awaitable.hpp>

#include <functional>
#include <string>

namespace http {

// What a body's producer writes to. It lives as long as the producer runs.
class ResponseStream {
  public:
    virtual ~ResponseStream() = default;

    // Sends `piece`, and returns when the system has taken it: a client that reads slowly makes this slow,
    // and so sees at most this piece and 64 KiB before it. What has to be sent meanwhile is best sent in the
    // next piece, as one. A client that reads nothing for `Limits::write` is gone. One call at a time.
    virtual boost::asio::awaitable<void> write(std::string piece) = 0;
};

// Writes the body; the response is complete when it returns. When the client is gone or the server stops, it
// is cancelled: whatever it waits for throws operation_aborted. An exception that leaves it is logged, and
// the client sees that the body is incomplete.
using BodyProducer = std::function<boost::asio::awaitable<void>(ResponseStream&)>;

}  // namespace http
