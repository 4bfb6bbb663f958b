// Unix stream sockets with paths of any length, close-on-exec, and their frames: "<decimal
// length>\n<bytes>".
#pragma once

#include "base/error.hpp"
#include "io/directory.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/local/stream_protocol.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace io {

using LocalSocket = boost::asio::local::stream_protocol::socket;

// Creates a listening, non-blocking socket called `name`, mode 0600. Replaces an existing one.
base::Result<UniqueFd> listen_local(const Directory& directory, const std::string& name);

// Connects to a process of this user or of root. If the server is another user's, the error is
// errc::wrong_protocol_type, before any byte is sent. Connecting to a Unix socket does not block: it is
// refused at once, or queued by the kernel.
base::Result<UniqueFd> connect_local(const Directory& directory, const std::string& name);
// As above; the directory must be one that Directory::open() accepts.
base::Result<UniqueFd> connect_local(const std::string& directory, const std::string& name);

// Whether a sandbox forbids the connection, so that retrying is useless.
bool is_denied(const base::Error& error);

// The user of the peer, at the time when it connected or began to listen.
std::optional<uid_t> peer_uid(int socket);
// The peer's process at that time; nothing if it is not known here, as for one in another namespace of pids.
std::optional<pid_t> peer_process(int socket);

// "<length>\n<payload>"
std::string frame(std::string_view payload);

// Splits a stream of bytes, which arrives in pieces of any size, into frames. Memory grows with the received
// data, never with an announced length.
class FrameReader {
  public:
    explicit FrameReader(std::size_t max_bytes) : max_bytes_(max_bytes) {}

    void append(std::string_view bytes) { buffer_.append(bytes); }

    // The payload of the next complete frame; empty if more bytes are needed; an error if the data is not a
    // frame, or the frame is too long. After an error the reader must not be used any more.
    base::Result<std::optional<std::string>> next();

    // Whether a frame has begun but is incomplete.
    bool in_frame() const { return length_.has_value() || !buffer_.empty(); }

  private:
    base::Result<std::optional<std::size_t>> header();

    std::size_t max_bytes_;
    std::string buffer_;
    std::optional<std::size_t> length_;  // of the payload, if its header was read and removed from the buffer
};

}  // namespace io
