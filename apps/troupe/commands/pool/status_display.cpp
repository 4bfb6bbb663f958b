#include "commands/pool/status_display.hpp"

#include "base/text.hpp"
#include "io/log.hpp"
#include "io/nonblocking_writer.hpp"
#include "pool_view/status_view.hpp"
#include "terminal/color.hpp"
#include "terminal/live_block.hpp"

#include <chrono>
#include <iostream>
#include <unistd.h>

namespace troupe {

namespace {

base::Result<void> print(const std::string& text) {
    std::cout << text << std::flush;
    if (std::cout) return {};
    return base::Error{boost::system::errc::make_error_code(boost::system::errc::io_error),
                       "cannot write to stdout"};
}

bool colored() {
    return terminal::wants_color(terminal::Color::automatic, terminal::is_terminal(STDOUT_FILENO),
                                 terminal::Environment::current());
}

class Blocks : public StatusDisplay {
  public:
    base::Result<void> show(const std::string& answer) override {
        auto status = pool_protocol::parse_status(answer);
        if (status.has_error()) return status.error();
        std::string block;
        for (const std::string& line : pool_view::status_lines(*status, looks()))
            block += line + "\n";
        return next(block);
    }
    base::Result<void> outage(const std::string& problem) override { return next(problem + "\n"); }

  private:
    // All of the status is shown, however high the terminal is: what is printed once can be scrolled to.
    static pool_view::DisplayOptions looks() {
        pool_view::DisplayOptions looks;
        looks.colored = colored();
        if (terminal::is_terminal(STDOUT_FILENO))
            looks.size.columns = terminal::size_of(STDOUT_FILENO).columns;
        return looks;
    }
    base::Result<void> next(const std::string& block) {
        return print(base::concat(std::exchange(first_, false) ? "" : "\n", block));
    }

    bool first_ = true;
};

class InPlace : public StatusDisplay {
  public:
    ~InPlace() override {
        screen_.put(block_.finish());
        screen_.flush(last_wait);
    }

    base::Result<void> show(const std::string& answer) override {
        auto status = pool_protocol::parse_status(answer);
        if (status.has_error()) return status.error();
        terminal::Size size = terminal::size_of(STDOUT_FILENO);
        pool_view::DisplayOptions looks{{size.columns - 1, size.rows - 1}, colored()};
        return draw(pool_view::status_lines(*status, looks), size);
    }
    base::Result<void> outage(const std::string& problem) override {
        return draw({problem}, terminal::size_of(STDOUT_FILENO));
    }

  private:
    // Does not wait for a terminal that takes nothing. When it goes on, it gets the status of that moment.
    base::Result<void> draw(std::vector<std::string> lines, terminal::Size size) {
        if (screen_.is_backed_up()) return {};
        screen_.put(block_.redraw(std::move(lines), size));
        if (!screen_.is_gone()) return {};
        return base::Error{boost::system::errc::make_error_code(boost::system::errc::io_error),
                           "cannot write to stdout"};
    }

    static constexpr std::chrono::milliseconds last_wait{1000};
    io::NonblockingWriter screen_{STDOUT_FILENO};
    terminal::LiveBlock block_;
};

class Json : public StatusDisplay {
  public:
    base::Result<void> show(const std::string& answer) override {
        if (auto status = pool_protocol::parse_status(answer); status.has_error()) return status.error();
        return print(answer + "\n");
    }
    base::Result<void> outage(const std::string& problem) override {
        io::log::warn(problem);
        return {};
    }
};

}  // namespace

std::unique_ptr<StatusDisplay> text_display(bool again_and_again) {
    bool in_place = again_and_again && terminal::is_terminal(STDOUT_FILENO) &&
                    !terminal::is_dumb(terminal::Environment::current());
    if (in_place) return std::make_unique<InPlace>();
    return std::make_unique<Blocks>();
}

std::unique_ptr<StatusDisplay> json_display() {
    return std::make_unique<Json>();
}

}  // namespace troupe
