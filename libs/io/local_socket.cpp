#include "io/local_socket.hpp"

#include "base/text.hpp"
#include "io/trust.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

namespace io {

namespace {

constexpr std::size_t max_header = 16;  // digits

// Returns the address. If the path is too long for an address, it uses the path through the directory's
// descriptor.
sockaddr_un address_of(int directory_fd, const std::string& path, const std::string& name) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::string text = path;
    if (text.size() >= sizeof address.sun_path)
        text = base::concat("/proc/self/fd/", directory_fd, "/", name);
    std::memcpy(address.sun_path, text.c_str(), std::min(text.size() + 1, sizeof address.sun_path - 1));
    return address;
}

UniqueFd new_socket() {
    return UniqueFd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
}

// Root listens on a socket that systemd has opened for a daemon, until the daemon listens itself.
bool is_trusted_server(uid_t uid) {
    return uid == own_uid() || uid == 0;
}

const sockaddr* generic(const sockaddr_un& address) {
    return static_cast<const sockaddr*>(static_cast<const void*>(&address));
}

}  // namespace

base::Result<UniqueFd> listen_local(const Directory& directory, const std::string& name) {
    std::string path = directory.path_of(name);
    UniqueFd socket = new_socket();
    if (!socket) return base::system_error("cannot make a socket");
    if (auto removed = directory.remove(name); removed.has_error()) return removed.error();
    sockaddr_un address = address_of(directory.fd(), path, name);
    if (::bind(socket.get(), generic(address), sizeof address) != 0)
        return base::system_error(base::concat("cannot bind the socket ", path));
    if (::fchmodat(directory.fd(), name.c_str(), 0600, 0) != 0)
        return base::system_error(base::concat("cannot set the mode of ", path));
    if (::listen(socket.get(), SOMAXCONN) != 0)
        return base::system_error(base::concat("cannot listen on ", path));
    return socket;
}

base::Result<UniqueFd> connect_local(const Directory& directory, const std::string& name) {
    std::string path = directory.path_of(name);
    UniqueFd socket = new_socket();
    if (!socket) return base::system_error("cannot make a unix socket");
    sockaddr_un address = address_of(directory.fd(), path, name);
    if (::connect(socket.get(), generic(address), sizeof address) != 0)
        return base::system_error(base::concat("cannot connect to ", path));
    auto uid = peer_uid(socket.get());
    if (!uid || !is_trusted_server(*uid))
        return base::Error{boost::system::errc::make_error_code(boost::system::errc::wrong_protocol_type),
                           base::concat(path, " is served by ", uid ? user_name(*uid) : "an unknown user",
                                        ", not by ", user_name(own_uid()))};
    return socket;
}

base::Result<UniqueFd> connect_local(const std::string& directory, const std::string& name) {
    auto opened = Directory::open(directory);
    if (opened.has_error()) return opened.error();
    return connect_local(*opened, name);
}

bool is_denied(const base::Error& error) {
    namespace errc = boost::system::errc;
    return error.code == errc::operation_not_permitted || error.code == errc::permission_denied ||
           error.code == errc::address_family_not_supported;
}

namespace {

std::optional<ucred> peer_of(int socket) {
    ucred peer{};
    socklen_t size = sizeof peer;
    if (::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return std::nullopt;
    return peer;
}

}  // namespace

std::optional<uid_t> peer_uid(int socket) {
    auto peer = peer_of(socket);
    return peer ? std::optional(peer->uid) : std::nullopt;
}

std::optional<pid_t> peer_process(int socket) {
    auto peer = peer_of(socket);
    return peer && peer->pid > 0 ? std::optional(peer->pid) : std::nullopt;
}

std::string frame(std::string_view payload) {
    return base::concat(payload.size(), "\n", payload);
}

base::Result<std::optional<std::size_t>> FrameReader::header() {
    std::size_t end = buffer_.find('\n');
    if (end == std::string::npos && buffer_.size() <= max_header &&
        buffer_.find_first_not_of("0123456789") == std::string::npos)
        return std::optional<std::size_t>();
    std::size_t length = 0;
    const char* last = buffer_.data() + std::min(end, buffer_.size());
    auto [stop, problem] = std::from_chars(buffer_.data(), last, length);
    if (end == std::string::npos || end == 0 || end > max_header || stop != last || problem != std::errc())
        return base::invalid(
            "a frame must begin with its length in decimal digits (at most 16) and a line feed");
    if (length > max_bytes_)
        return base::invalid(
            base::concat("the frame is ", length, " bytes long; at most ", max_bytes_, " are accepted"));
    buffer_.erase(0, end + 1);
    return std::optional<std::size_t>(length);
}

base::Result<std::optional<std::string>> FrameReader::next() {
    if (!length_) {
        auto parsed = header();
        if (parsed.has_error()) return parsed.error();
        length_ = *parsed;
    }
    if (!length_ || buffer_.size() < *length_) return std::optional<std::string>();
    std::string rest = buffer_.substr(*length_);
    buffer_.resize(*length_);
    length_.reset();
    std::optional<std::string> payload(std::move(buffer_));
    buffer_ = std::move(rest);
    return payload;
}

}  // namespace io
