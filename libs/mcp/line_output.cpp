#include "mcp/line_output.hpp"

#include "base/text.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <fcntl.h>
#include <unistd.h>

namespace mcp {

namespace asio = boost::asio;

int own_descriptor(int fd, int flags) {
    int own = -1;
    if (::isatty(fd) != 0)
        own = ::open(base::concat("/proc/self/fd/", fd).c_str(), flags | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    return own >= 0 ? own : ::fcntl(fd, F_DUPFD_CLOEXEC, 3);
}

LineOutput::LineOutput(asio::any_io_executor executor, int fd, std::function<void()> on_written)
    : out_(executor), on_written_(std::move(on_written)), wake_(executor) {
    out_.assign(own_descriptor(fd, O_WRONLY), error_);
    is_gone_ = error_.failed();
}

void LineOutput::put(std::string_view line) {
    if (is_gone_) return;
    waiting_ += line;
    waiting_ += '\n';
    wake_.ring();
}

void LineOutput::finish() {
    is_finished_ = true;
    wake_.ring();
}

asio::awaitable<void> LineOutput::run() {
    while (!is_gone_ && !(is_finished_ && waiting_.empty())) {
        if (waiting_.empty()) {
            is_writing_ = false;
            co_await wake_.wait();
            continue;
        }
        is_writing_ = true;
        std::string text = std::exchange(waiting_, {});
        in_flight_ = text.size();
        boost::system::error_code error;
        co_await asio::async_write(out_, asio::buffer(text),
                                   asio::redirect_error(asio::use_awaitable, error));
        in_flight_ = 0;
        if (error) stop(error);
        on_written_();
    }
}

asio::awaitable<void> LineOutput::reader_gone() {
    boost::system::error_code error;
    co_await out_.async_wait(asio::posix::stream_descriptor::wait_error,
                             asio::redirect_error(asio::use_awaitable, error));
    if (error) {  // a file has no reader
        io::Bell never(out_.get_executor());
        co_await never.wait();
    }
    stop(asio::error::broken_pipe);
    on_written_();
}

void LineOutput::stop(boost::system::error_code error) {
    is_gone_ = true;
    bool is_known = error == asio::error::broken_pipe || error == asio::error::connection_reset ||
                    error == asio::error::operation_aborted;
    if (!is_known) error_ = error;
}

}  // namespace mcp
