// A local socket as two streams of frames: those that come, each given to a callback, and those to be sent,
// queued. Knows nothing of what is in them. Whatever the peer does or doesn't do, nothing here blocks.
#pragma once

#include "io/local_socket.hpp"

#include <boost/asio/steady_timer.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>

namespace io {

// Kept alive by its own pending operations. Callbacks run from the event loop; after `on_gone` none is
// called.
class FramedSocket : public std::enable_shared_from_this<FramedSocket> {
  public:
    using Payloads = std::list<std::string>;  // in a list, that none costs nothing

    struct Callbacks {
        // A whole frame has come.
        std::function<void(const std::shared_ptr<FramedSocket>&, std::string frame)> on_frame;
        // What came is no frame. One frame may be sent in reply, then the socket is closed.
        std::function<void(const std::shared_ptr<FramedSocket>&, std::string problem)> on_bad_frame;
        // Closed, by either side. `undelivered`: payloads that may not have reached the peer.
        std::function<void(const std::shared_ptr<FramedSocket>&, Payloads undelivered)> on_gone;
    };

    // How long the peer may make no progress; none: for ever.
    struct Limits {
        std::size_t max_message_bytes;
        std::optional<std::chrono::seconds> read;   // until a first frame, or between the pieces of one
        std::optional<std::chrono::seconds> write;  // in taking what is sent
        // With more bytes than this to be taken by the peer nothing is read from it; none: it is read all the
        // same. Only one of two ends may have such a limit, or both could wait for the other.
        std::optional<std::size_t> backlog = {};
    };

    FramedSocket(LocalSocket socket, Limits limits, Callbacks callbacks);

    void start();

    // Announces one more send(), so that a socket whose peer has ended its own sending stays until then.
    void expect_reply() { ++expected_replies_; }
    // What the kernel takes of it now is out of our hands when this returns; the rest is has_output().
    void send(std::string payload);
    // A send that was announced and will not come.
    void cancel_reply();

    bool has_output() const { return !outgoing_.empty(); }
    void close();

  private:
    void read();
    void frames_arrived();
    bool is_backlogged() const { return limits_.backlog && output_bytes_ > *limits_.backlog; }
    void output_taken();
    void end_of_input();
    bool hung_up();
    bool has_input();
    void write_at_once();
    void write();
    void write_failed();
    void close_if_done();
    void expect_nothing(boost::asio::steady_timer& timer);
    void expect_progress(std::optional<std::chrono::seconds> limit, boost::asio::steady_timer& timer);

    LocalSocket socket_;
    FrameReader frames_;
    Limits limits_;
    Callbacks callbacks_;
    boost::asio::steady_timer read_deadline_;
    boost::asio::steady_timer write_deadline_;
    Payloads outgoing_;             // the front one is being written
    std::size_t output_bytes_ = 0;  // of all of them
    std::string header_;            // of the front one
    std::size_t written_ = 0;       // of header and payload
    std::size_t expected_replies_ = 0;
    bool input_ended_ = false;
    bool input_waits_ = false;  // for the peer to take its output
    bool gone_ = false;
    std::array<char, 16 * 1024> buffer_;
};

}  // namespace io
