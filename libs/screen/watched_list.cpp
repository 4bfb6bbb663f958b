#include "screen/watched_list.hpp"

#include "io/internal_error.hpp"
#include "screen/full_screen.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include <algorithm>
#include <chrono>
#include <utility>

namespace screen {

namespace asio = boost::asio;

namespace {

constexpr std::chrono::seconds watch_interval{1};

using Strings = std::vector<std::string>;

// The newest runs are the last rows.
Strings fitting(Strings list, std::size_t rows) {
    constexpr std::size_t others = 3;  // the headings, and how to end it, after an empty line
    std::size_t fit = std::max(rows, others + 1) - others;
    if (list.size() > fit + 1) list.erase(list.begin() + 1, list.end() - static_cast<std::ptrdiff_t>(fit));
    list.insert(list.end(), {"", "q: quit"});
    return list;
}

class Watch {
  public:
    explicit Watch(const std::function<Strings()>& make_list)
        : make_list_(make_list), timer_(loop_), screen_(loop_, [this](int code) { end(code); }) {}

    int run() {
        draw();
        io::run_loop(loop_);
        return exit_code_.value_or(0);
    }

  private:
    void draw() {
        screen_.show([list = make_list_()](terminal::Size size, bool) { return fitting(list, size.rows); });
        if (exit_code_) return;
        timer_.expires_after(watch_interval);
        timer_.async_wait([this](boost::system::error_code failed) {
            if (!failed && !exit_code_) draw();
        });
    }

    // The screen is in the middle of a callback.
    void end(int code) {
        if (std::exchange(exit_code_, code)) return;
        timer_.cancel();
        asio::post(loop_, [this] { screen_.close(); });
    }

    asio::io_context loop_{1};
    const std::function<Strings()>& make_list_;
    asio::steady_timer timer_;
    std::optional<int> exit_code_;
    screen::FullScreen screen_;
};

}  // namespace

int watch_list(const std::function<Strings()>& make_list) {
    return Watch(make_list).run();
}

}  // namespace screen
