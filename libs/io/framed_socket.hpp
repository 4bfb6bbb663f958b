// A local socket that sends and receives frames: a callback gets each received frame; frames to be sent are
// queued. Does not interpret the frames. Never blocks, whatever the peer does.
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

// The object is kept alive by its pending operations. Callbacks run from the event loop; `on_gone` is the
// last one.
class FramedSocket : public std::enable_shared_from_this<FramedSocket> {
  public:
    using Payloads = std::list<std::string>;  // a list, because an empty one needs no memory

    struct Callbacks {
        // A complete frame has arrived.
        std::function<void(const std::shared_ptr<FramedSocket>&, std::string frame)> on_frame;
        // The input is not a valid frame. One frame may be sent in reply, then the socket is closed.
        std::function<void(const std::shared_ptr<FramedSocket>&, std::string problem)> on_bad_frame;
        // The socket is closed, by either side. `undelivered`: payloads that may not have reached the peer.
        std::function<void(const std::shared_ptr<FramedSocket>&, Payloads undelivered)> on_gone;
    };

    // How long the peer may make no progress; empty: without limit.
    struct Limits {
        std::size_t max_message_bytes;
        std::optional<std::chrono::seconds> read;   // until the first frame, or between the parts of a frame
        std::optional<std::chrono::seconds> write;  // while it reads what is sent
        // While more bytes than this wait to be sent, nothing is read from the peer; empty: reading never
        // stops. Only one of the two ends may have this limit; otherwise both could wait for each other.
        std::optional<std::size_t> backlog = {};
    };

    FramedSocket(LocalSocket socket, Limits limits, Callbacks callbacks);

    void start();

    // Announces one send(): if the peer ends its sending side, the socket stays open until then.
    void expect_reply() { ++expected_replies_; }
    // The part that the kernel accepts at once is sent when this returns. has_output() tells whether there is
    // more.
    void send(std::string payload);
    // Withdraws the announcement of one send().
    void cancel_reply();

    bool has_output() const { return !outgoing_.empty(); }
    // Does what io::peer_process() does.
    std::optional<pid_t> peer_process();
    // Whether the peer has read all that was sent.
    bool is_all_read();
    // Whether the peer has closed the connection, and will read no reply.
    bool is_hung_up();
    void close();

  private:
    void read();
    void frames_arrived();
    bool is_backlogged() const { return limits_.backlog && output_bytes_ > *limits_.backlog; }
    void output_taken();
    void end_of_input();
    bool is_ready_for(short events);
    void write_at_once();
    void write();
    void write_failed();
    void close_if_done();
    void cancel_deadline(boost::asio::steady_timer& timer);
    void set_deadline(std::optional<std::chrono::seconds> limit, boost::asio::steady_timer& timer,
                      short progress);

    LocalSocket socket_;
    FrameReader frames_;
    Limits limits_;
    Callbacks callbacks_;
    boost::asio::steady_timer read_deadline_;
    boost::asio::steady_timer write_deadline_;
    Payloads outgoing_;             // the first one is being written
    std::size_t output_bytes_ = 0;  // of all payloads
    std::string header_;            // of the first payload
    std::size_t written_ = 0;       // of header and payload
    std::size_t expected_replies_ = 0;
    bool input_ended_ = false;
    bool input_waits_ = false;  // until the peer has read more of its output
    bool gone_ = false;
    std::array<char, 16 * 1024> buffer_;
};

}  // namespace io
