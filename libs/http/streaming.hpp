// Sends a body that is produced over time, and meanwhile watches whether its client is still there. For
// http::Session.
#pragma once

#include "http/byte_stream.hpp"
#include "http/response_stream.hpp"
#include "http/server.hpp"
#include "io/task_group.hpp"

#include <functional>
#include <string>
#include <string_view>

namespace http {

class Streaming : private ResponseStream {
  public:
    // The references must outlive run().
    Streaming(ByteStream& connection, const Limits& limits, const std::function<void(Activity)>& on_progress,
              bool is_chunked);

    // Returns when the producer has ended.
    boost::asio::awaitable<void> run(const BodyProducer& producer);

  private:
    boost::asio::awaitable<void> watch();
    boost::asio::awaitable<void> produce(const BodyProducer& producer);
    boost::asio::awaitable<void> write(std::string piece) override;
    boost::asio::awaitable<void> send(std::string_view text);

    ByteStream& connection_;
    const std::function<void(Activity)>& on_progress_;
    bool is_chunked_;
    const Limits& limits_;
    io::TaskGroup tasks_;
};

}  // namespace http
