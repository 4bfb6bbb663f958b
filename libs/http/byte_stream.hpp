// The bytes of one connection in both directions, with a limit of time: what http::Session needs, whether it
// is TCP, TLS, or memory in a test. For transports.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/error_code.hpp>

#include <chrono>
#include <cstddef>

namespace http {

class ByteStream {
  public:
    virtual ~ByteStream() = default;

    virtual boost::asio::any_io_executor executor() = 0;
    // The limit of time for all that is read and written from now on, until the next call.
    virtual void expires_after(std::chrono::seconds time) = 0;
    virtual void expires_never() = 0;

    // The number of bytes that were read or written: some, or with an error none.
    virtual boost::asio::awaitable<std::size_t> read_some(boost::asio::mutable_buffer buffer,
                                                          boost::system::error_code& ec) = 0;
    virtual boost::asio::awaitable<std::size_t> write_some(boost::asio::const_buffer bytes,
                                                           boost::system::error_code& ec) = 0;
};

// A ByteStream made of an Asio stream which has expires_after() and expires_never() as
// boost::beast::basic_stream. The reference must outlive it.
template<class Stream>
class ByteStreamOf : public ByteStream {
  public:
    explicit ByteStreamOf(Stream& stream) : stream_(stream) {}

    boost::asio::any_io_executor executor() override { return stream_.get_executor(); }
    void expires_after(std::chrono::seconds time) override { stream_.expires_after(time); }
    void expires_never() override { stream_.expires_never(); }

    boost::asio::awaitable<std::size_t> read_some(boost::asio::mutable_buffer buffer,
                                                  boost::system::error_code& ec) override {
        return stream_.async_read_some(buffer, boost::asio::redirect_error(boost::asio::use_awaitable, ec));
    }
    boost::asio::awaitable<std::size_t> write_some(boost::asio::const_buffer bytes,
                                                   boost::system::error_code& ec) override {
        return stream_.async_write_some(bytes, boost::asio::redirect_error(boost::asio::use_awaitable, ec));
    }

  private:
    Stream& stream_;
};

}  // namespace http
