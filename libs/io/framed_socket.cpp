#include "io/framed_socket.hpp"

#include "base/text.hpp"

#include <boost/asio/post.hpp>

#include <algorithm>
#include <linux/sockios.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/uio.h>

namespace io {

namespace asio = boost::asio;
using boost::system::error_code;

namespace {

constexpr std::chrono::seconds last_words{1};

}  // namespace

FramedSocket::FramedSocket(LocalSocket socket, Limits limits, Callbacks callbacks)
    : socket_(std::move(socket)),
      frames_(limits.max_message_bytes),
      limits_(limits),
      callbacks_(std::move(callbacks)),
      read_deadline_(socket_.get_executor()),
      write_deadline_(socket_.get_executor()) {}

void FramedSocket::start() {
    set_deadline(limits_.read, read_deadline_, POLLIN);
    read();
}

// `progress`: the event of poll() that shows that the peer has gone on; 0 if nothing would show it.
// If this process was suspended or delayed, the peer may have gone on meanwhile, and that counts before the
// deadline. So the handler looks at both the clock and the socket: it may still run after the timer was set
// anew or cancelled, because a wait that has completed cannot be cancelled.
void FramedSocket::set_deadline(std::optional<std::chrono::seconds> limit, asio::steady_timer& timer,
                                short progress) {
    if (!limit) return;
    timer.expires_after(*limit);
    timer.async_wait([weak = weak_from_this(), limit, &timer, progress](error_code ec) {
        auto self = weak.lock();
        if (ec || !self || self->gone_ || std::chrono::steady_clock::now() < timer.expiry()) return;
        if (self->is_ready_for(progress)) return self->set_deadline(limit, timer, progress);
        self->close();
    });
}

// `events`: of poll().
bool FramedSocket::is_ready_for(short events) {
    pollfd poll{socket_.native_handle(), events, 0};
    return ::poll(&poll, 1, 0) > 0 && (poll.revents & events) != 0;
}

// Cancelling an Asio timer leaves the kernel's timer set, which would wake an idle process. Letting it expire
// now makes Asio set it for the next timer that is due.
void FramedSocket::cancel_deadline(asio::steady_timer& timer) {
    if (timer.cancel() == 0) {
        timer.expires_at(std::chrono::steady_clock::time_point::max());
        return;
    }
    timer.expires_after(std::chrono::seconds(0));
    timer.async_wait([](error_code) {});
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
        if (is_backlogged()) {
            input_waits_ = true;
            return cancel_deadline(read_deadline_);
        }
        auto frame = frames_.next();
        if (frame.has_error()) {
            input_ended_ = true;
            cancel_deadline(read_deadline_);
            expect_reply();
            return callbacks_.on_bad_frame(shared_from_this(), frame.error().message);
        }
        if (!*frame) break;
        callbacks_.on_frame(shared_from_this(), std::move(**frame));
        if (gone_) return;
    }
    // A connection that has sent complete frames may be silent for any time.
    if (frames_.in_frame())
        set_deadline(limits_.read, read_deadline_, POLLIN);
    else
        cancel_deadline(read_deadline_);
    read();
}

void FramedSocket::output_taken() {
    output_bytes_ -= outgoing_.front().size();
    outgoing_.pop_front();
    written_ = 0;
    if (input_waits_ && !is_backlogged())
        asio::post(socket_.get_executor(), [self = shared_from_this()] {
            if (!self->gone_ && std::exchange(self->input_waits_, false)) self->frames_arrived();
        });
}

// The peer will send no more. If it has closed only its sending side, it still reads; then its end is
// reported as a hang-up, which may come before the wait for it begins.
void FramedSocket::end_of_input() {
    input_ended_ = true;
    cancel_deadline(read_deadline_);
    if (is_hung_up()) return close();
    socket_.async_wait(LocalSocket::wait_error, [self = shared_from_this()](error_code ec) {
        if (!ec && self->is_hung_up()) self->close();
    });
    if (is_hung_up()) return close();
    close_if_done();
}

bool FramedSocket::is_hung_up() {
    pollfd poll{socket_.native_handle(), 0, 0};
    return ::poll(&poll, 1, 0) > 0 && (poll.revents & (POLLHUP | POLLERR)) != 0;
}

void FramedSocket::send(std::string payload) {
    if (gone_) return;
    if (expected_replies_ > 0) --expected_replies_;
    output_bytes_ += payload.size();
    outgoing_.push_back(std::move(payload));
    if (outgoing_.size() > 1) return;
    write_at_once();
    if (!outgoing_.empty()) return write();
    if (input_ended_)
        asio::post(socket_.get_executor(), [self = shared_from_this()] { self->close_if_done(); });
}

std::optional<pid_t> FramedSocket::peer_process() {
    return io::peer_process(socket_.native_handle());
}

bool FramedSocket::is_all_read() {
    int unread = 0;
    return outgoing_.empty() && ::ioctl(socket_.native_handle(), SIOCOUTQ, &unread) == 0 && unread == 0;
}

void FramedSocket::cancel_reply() {
    if (expected_replies_ > 0) --expected_replies_;
    close_if_done();
}

// An error is ignored here, because write() meets it again: callers of send() do not expect callbacks.
void FramedSocket::write_at_once() {
    std::string& payload = outgoing_.front();
    header_ = base::concat(payload.size(), "\n");
    std::array<iovec, 2> pieces{{{header_.data(), header_.size()}, {payload.data(), payload.size()}}};
    msghdr message{};
    message.msg_iov = pieces.data();
    message.msg_iovlen = pieces.size();
    ssize_t sent = ::sendmsg(socket_.native_handle(), &message, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent <= 0) return;
    written_ = static_cast<std::size_t>(sent);
    if (written_ == header_.size() + payload.size()) output_taken();
}

void FramedSocket::write() {
    if (written_ == 0) header_ = base::concat(outgoing_.front().size(), "\n");
    std::size_t from_header = std::min(written_, header_.size());
    std::array<asio::const_buffer, 2> rest{asio::buffer(header_) + from_header,
                                           asio::buffer(outgoing_.front()) + (written_ - from_header)};
    set_deadline(limits_.write, write_deadline_, POLLOUT);
    socket_.async_write_some(rest, [self = shared_from_this()](error_code ec, std::size_t size) {
        if (self->gone_) return;
        if (ec) return self->write_failed();
        self->written_ += size;
        if (self->written_ < self->header_.size() + self->outgoing_.front().size()) return self->write();
        self->output_taken();
        if (!self->outgoing_.empty()) return self->write();
        self->cancel_deadline(self->write_deadline_);
        self->close_if_done();
    });
}

// The peer accepts no more data, but data that it sent before must still be read, until the end of the input.
void FramedSocket::write_failed() {
    if (input_ended_) return close();
    set_deadline(last_words, write_deadline_, 0);
}

void FramedSocket::close_if_done() {
    if (input_ended_ && expected_replies_ == 0 && outgoing_.empty()) close();
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
