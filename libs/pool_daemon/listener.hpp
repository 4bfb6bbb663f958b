// Accepts connections on the pool's socket. Pauses when descriptors are short, leaves some descriptors for
// files, and never ends by itself.
#pragma once

#include "io/framed_socket.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/local/stream_protocol.hpp>

#include <memory>
#include <unordered_set>

namespace pool_daemon {

class Listener {
  public:
    Listener(boost::asio::any_io_executor executor, io::UniqueFd socket, std::size_t max_message_bytes,
             io::FramedSocket::Callbacks callbacks);
    ~Listener();
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;

    void start();
    void stop_accepting();
    // Whether answers are still being written.
    bool has_output() const;
    void close_all();

  private:
    void accept();
    bool has_room();
    int accept_some();
    int accept_one();
    void add(io::UniqueFd socket);

    boost::asio::any_io_executor executor_;
    boost::asio::local::stream_protocol::acceptor acceptor_;
    boost::asio::steady_timer pause_;
    bool is_short_ = false;  // of descriptors, at the last check
    bool shortage_logged_ = false;
    std::size_t max_message_bytes_;
    io::FramedSocket::Callbacks callbacks_;
    std::unordered_set<std::shared_ptr<io::FramedSocket>> connections_;
    std::shared_ptr<int> alive_ =
        std::make_shared<int>();  // handlers that are already due cannot be cancelled
};

}  // namespace pool_daemon
