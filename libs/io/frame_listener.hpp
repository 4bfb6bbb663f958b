// Accepts connections of this user on a local socket, as framed sockets. Pauses when descriptors are short,
// leaves some descriptors for files, and never ends by itself.
#pragma once

#include "io/framed_socket.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/local/stream_protocol.hpp>

#include <memory>
#include <string>
#include <unordered_set>

namespace io {

class FrameListener {
  public:
    // `subject`: what the socket belongs to, for messages ("pool").
    FrameListener(boost::asio::any_io_executor executor, UniqueFd socket, std::string subject,
                  FramedSocket::Limits limits, FramedSocket::Callbacks callbacks);
    ~FrameListener();
    FrameListener(const FrameListener&) = delete;
    FrameListener& operator=(const FrameListener&) = delete;

    void start();
    // The socket takes the place of the one that it had; connections stay.
    void listen_on(UniqueFd socket);
    void stop_accepting();
    // Whether answers are still being written.
    bool has_output() const;
    void close_all();

  private:
    void accept();
    bool has_room();
    int accept_some();
    int accept_one();
    bool is_ours(int socket) const;
    void add(UniqueFd socket);

    boost::asio::any_io_executor executor_;
    boost::asio::local::stream_protocol::acceptor acceptor_;
    boost::asio::steady_timer pause_;
    bool is_short_ = false;  // of descriptors, at the last check
    bool shortage_logged_ = false;
    std::string subject_;
    FramedSocket::Limits limits_;
    FramedSocket::Callbacks callbacks_;
    std::unordered_set<std::shared_ptr<FramedSocket>> connections_;
    std::shared_ptr<int> alive_ =
        std::make_shared<int>();  // handlers that are already due cannot be cancelled
};

}  // namespace io
