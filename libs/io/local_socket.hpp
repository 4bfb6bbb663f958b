// Unix stream sockets at paths of any length, close-on-exec, and the frames on them: "<decimal
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

// A listening, non-blocking socket under `name`, mode 0600; one that is there is replaced.
base::Result<UniqueFd> listen_local(const Directory& directory, const std::string& name);

// A socket that is connected to a process of ours: another user's is errc::wrong_protocol_type, before a byte
// is sent. Connecting to a unix socket does not wait: it is refused at once, or it is in the backlog.
base::Result<UniqueFd> connect_local(const Directory& directory, const std::string& name);
// The same; the directory must be one that Directory::open() opens.
base::Result<UniqueFd> connect_local(const std::string& directory, const std::string& name);

// Whether a sandbox forbids the connection, so that trying again is of no use.
bool is_denied(const base::Error& error);

// Who is at the other end, or was when it began to listen.
std::optional<uid_t> peer_uid(int socket);

// "<length>\n<payload>"
std::string frame(std::string_view payload);

// Takes frames out of a stream of bytes, in pieces of any size. Memory grows with what has come, never with a
// length that was only announced.
class FrameReader {
  public:
    explicit FrameReader(std::size_t max_bytes) : max_bytes_(max_bytes) {}

    void append(std::string_view bytes) { buffer_.append(bytes); }

    // The next whole frame's payload; nothing if more bytes are needed; an error if no frame can begin like
    // this, or if it is longer than allowed. After an error the stream is of no more use.
    base::Result<std::optional<std::string>> next();

    // Whether a frame has begun that isn't whole.
    bool in_frame() const { return length_.has_value() || !buffer_.empty(); }

  private:
    base::Result<std::optional<std::size_t>> header();

    std::size_t max_bytes_;
    std::string buffer_;
    std::optional<std::size_t>
        length_;  // of the payload, once its header has come; the header is off the buffer then
};

}  // namespace io
