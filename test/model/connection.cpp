#include "connection.hpp"

#include "io/local_socket.hpp"
#include "story.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <sys/socket.h>
#include <sys/un.h>

namespace model {

Connection::Connection(const std::string& socket_path)
    : socket_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    must(socket_path.size() < sizeof address.sun_path, "the pool's path is too long for the test");
    std::memcpy(address.sun_path, socket_path.data(), socket_path.size());
    const auto* generic = reinterpret_cast<const sockaddr*>(&address);
    must(::connect(socket_.get(), generic, sizeof address) == 0, "nobody accepts connections on ",
         socket_path);
}

void Connection::put(std::string_view bytes) {
    ssize_t sent = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EPIPE) return;  // to a daemon that has just gone: lost with it
    must(sent == static_cast<ssize_t>(bytes.size()), "a frame could not be sent");
}

void Connection::send(std::string_view payload, std::size_t size) {
    rest_ = io::frame(payload);
    if (size >= rest_.size()) return send_rest();
    put(std::string_view(rest_).substr(0, size));
    rest_.erase(0, size);
}

void Connection::send_rest() {
    put(rest_);
    rest_.clear();
}

bool Connection::receive() {
    std::array<char, 16 * 1024> buffer;
    while (true) {
        ssize_t size = ::recv(socket_.get(), buffer.data(), buffer.size(), 0);
        if (size < 0 && errno == EINTR) continue;
        if (size < 0 && errno == EAGAIN) return true;
        if (size <= 0) return false;
        in_.append(buffer.data(), static_cast<std::size_t>(size));
        if (static_cast<std::size_t>(size) < buffer.size()) return true;
    }
}

std::optional<std::string> Connection::next_frame() {
    std::size_t end = in_.find('\n');
    if (end == std::string::npos) return std::nullopt;
    std::size_t size = 0;
    std::from_chars(in_.data(), in_.data() + end, size);
    if (in_.size() < end + 1 + size) return std::nullopt;
    std::string payload = in_.substr(end + 1, size);
    in_.erase(0, end + 1 + size);
    return payload;
}

void Connection::end_output() {
    ::shutdown(socket_.get(), SHUT_WR);
    output_ended_ = true;
}

}  // namespace model
