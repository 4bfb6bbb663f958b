#include "displays/run_view.hpp"

#include "io/internal_error.hpp"
#include "io/local_socket.hpp"
#include "terminal/live_block.hpp"
#include "terminal/size.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/write.hpp>

#include <array>
#include <csignal>
#include <cstdio>
#include <string>
#include <unistd.h>
#include <utility>
#include <variant>

namespace displays {

namespace asio = boost::asio;
using boost::system::error_code;

namespace {

// All on one thread. A stdout that blocks blocks the viewer, not the run.
class RunView {
  public:
    RunView(io::UniqueFd connection, runs::Attach wish)
        : socket_(context_, asio::local::stream_protocol(), connection.release()),
          signals_(context_, SIGINT, SIGTERM, SIGWINCH),
          frames_(runs::longest_message),
          wish_(wish) {}

    ViewEnd show() {
        watch_signals();
        ask();
        read();
        io::run_loop(context_);
        print(block_.finish());
        return end_;
    }

  private:
    void ask() {
        size_ = terminal::size_of(STDOUT_FILENO);
        wish_.columns = size_.columns;
        wish_.rows = size_.rows;
        request_ = io::frame(runs::to_json(wish_));
        error_code ignored;  // reading notices the end of the connection
        asio::write(socket_, asio::buffer(request_), ignored);
    }

    void watch_signals() {
        signals_.async_wait([this](error_code error, int signal) {
            if (error) return;
            if (signal != SIGWINCH) {
                end_.signal = signal;
                return context_.stop();
            }
            ask();
            watch_signals();
        });
    }

    void read() {
        socket_.async_read_some(asio::buffer(buffer_), [this](error_code error, std::size_t size) {
            if (error) return context_.stop();
            frames_.append({buffer_.data(), size});
            while (true) {
                auto frame = frames_.next();
                if (!frame) return context_.stop();
                if (!*frame) break;
                if (auto message = runs::parse_control_message(**frame))
                    std::visit([this](const auto& one) { take(one); }, *message);
            }
            if (!end_.exit_code) read();
        });
    }

    void take(const runs::Table& table) { print(block_.redraw(table.lines, size_)); }
    void take(const runs::Text& text) { print(block_.above(text.text, size_)); }
    void take(const runs::State& /*state*/) {}  // not asked for
    void take(const runs::Reply& answer) { print(answer.message + "\n"); }
    void take(const runs::Ended& ended) {
        end_.exit_code = ended.exit_code;
        context_.stop();
    }

    void print(const std::string& text) {
        if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
            context_.stop();
    }

    asio::io_context context_{1};
    io::LocalSocket socket_;
    asio::signal_set signals_;
    io::FrameReader frames_;
    runs::Attach wish_;
    terminal::Size size_;
    terminal::LiveBlock block_;
    std::string request_;
    std::array<char, 64 * 1024> buffer_{};
    ViewEnd end_;
};

}  // namespace

ViewEnd view_run(io::UniqueFd connection, runs::Attach wish) {
    RunView view(std::move(connection), wish);
    return view.show();
}

}  // namespace displays
