#include "io/framed_socket.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <poll.h>

namespace io {

namespace asio = boost::asio;
using boost::system::error_code;

FramedSocket::FramedSocket(LocalSocket socket, Limits limits, Callbacks callbacks)
    : socket_(std::move(socket)),
      frames_(limits.max_message_bytes),
      limits_(limits),
      callbacks_(std::move(callbacks)),
      read_deadline_(socket_.get_executor()),
      write_deadline_(socket_.get_executor()) {}

void FramedSocket::start() {
    expect_progress(limits_.read, read_deadline_);
    read();
}

void FramedSocket::expect_progress(std::optional<std::chrono::seconds> limit, asio::steady_timer& timer) {
    if (!limit) return;
    timer.expires_after(*limit);
    timer.async_wait([weak = weak_from_this()](error_code ec) {
        auto self = weak.lock();
        if (!ec && self) self->close();
    });
}

void FramedSocket::read() {
    socket_.async_read_some(asio::buffer(buffer_),
                            [self = shared_from_this()](error_code ec, std::size_t size) {
                                if (self->gone_) return;
                                if (ec == asio::error::eof) return self->end_of_input();
                                if (ec) return self->close();
                                self->frames_.append(std::string_view(self->buffer_.data(), size));
                                self->frames_arrived();
                            });
}

void FramedSocket::frames_arrived() {
    while (true) {
        auto frame = frames_.next();
        if (frame.has_error()) {
            input_ended_ = true;
            read_deadline_.cancel();
            owe();
            return callbacks_.on_bad_frame(shared_from_this(), frame.error().message);
        }
        if (!*frame) break;
        callbacks_.on_frame(shared_from_this(), std::move(**frame));
        if (gone_) return;
    }
    // A connection that has sent whole frames may stay silent for as long as it likes.
    if (frames_.in_frame())
        expect_progress(limits_.read, read_deadline_);
    else
        read_deadline_.cancel();
    read();
}

// The peer will send no more. If it has only closed its sending side, it still reads (R9): then its going
// away is announced by a hang-up, which may come before the wait for it begins.
void FramedSocket::end_of_input() {
    input_ended_ = true;
    read_deadline_.cancel();
    if (hung_up()) return close();
    socket_.async_wait(LocalSocket::wait_error, [self = shared_from_this()](error_code ec) {
        if (!ec && self->hung_up()) self->close();
    });
    if (hung_up()) return close();
    close_if_done();
}

bool FramedSocket::hung_up() {
    pollfd poll{socket_.native_handle(), 0, 0};
    return ::poll(&poll, 1, 0) > 0 && (poll.revents & (POLLHUP | POLLERR)) != 0;
}

void FramedSocket::send(std::string payload) {
    if (gone_) return;
    if (owed_ > 0) --owed_;
    outgoing_.push_back(std::move(payload));
    if (outgoing_.size() == 1) write();
}

void FramedSocket::waive() {
    if (owed_ > 0) --owed_;
    close_if_done();
}

void FramedSocket::write() {
    if (written_ == 0) header_ = base::concat(outgoing_.front().size(), "\n");
    std::size_t from_header = std::min(written_, header_.size());
    std::array<asio::const_buffer, 2> rest{asio::buffer(header_) + from_header,
                                           asio::buffer(outgoing_.front()) + (written_ - from_header)};
    expect_progress(limits_.write, write_deadline_);
    socket_.async_write_some(rest, [self = shared_from_this()](error_code ec, std::size_t size) {
        if (self->gone_) return;
        if (ec) return self->close();
        self->written_ += size;
        if (self->written_ < self->header_.size() + self->outgoing_.front().size()) return self->write();
        self->outgoing_.pop_front();
        self->written_ = 0;
        if (!self->outgoing_.empty()) return self->write();
        self->write_deadline_.cancel();
        self->close_if_done();
    });
}

void FramedSocket::close_if_done() {
    if (input_ended_ && owed_ == 0 && outgoing_.empty()) close();
}

void FramedSocket::close() {
    if (gone_) return;
    gone_ = true;
    error_code ignored;
    socket_.close(ignored);
    read_deadline_.cancel();
    write_deadline_.cancel();
    callbacks_.on_gone(shared_from_this(), std::move(outgoing_));
}

}  // namespace io
