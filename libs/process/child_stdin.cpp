#include "process/child_stdin.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>

#include <utility>

namespace process {

void ChildStdin::start(io::UniqueFd pipe) {
    pipe_.assign(pipe.release());
    dialog_->on_change([weak = weak_from_this()] {
        if (auto self = weak.lock()) self->write();
    });
    write();
}

void ChildStdin::close() {
    boost::system::error_code ignored;
    pipe_.close(ignored);
    dialog_->drop();
}

void ChildStdin::write() {
    if (!pipe_.is_open() || !sending_.empty()) return;
    sending_ = dialog_->take_unsent();
    if (sending_.empty()) {
        if (dialog_->is_closed()) close();
        return;
    }
    boost::asio::async_write(pipe_, boost::asio::buffer(sending_),
                             [self = shared_from_this()](boost::system::error_code ec, std::size_t) {
                                 const std::size_t written = std::exchange(self->sending_, {}).size();
                                 if (ec) return self->close();
                                 self->dialog_->written(written);
                                 self->write();
                             });
}

}  // namespace process
