// The commands that are attached to a run (`barnum attach`): each gets the progress in the form that it asked
// for, over its connection. A viewer that does not read misses lines, which are counted; the run never waits
// for it.
#pragma once

#include "displays/event_progress.hpp"
#include "io/framed_socket.hpp"
#include "runs/control_message.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>

namespace displays {

class Viewers : public EventProgress {
  public:
    using Connection = std::shared_ptr<io::FramedSocket>;

    Viewers(boost::asio::any_io_executor executor, WatchedRun run);
    ~Viewers() override;

    boost::asio::awaitable<void> show() override;

    // Also called for a viewer that is attached already: its terminal has another size.
    void attach(const Connection& connection, const runs::Attach& wish);
    void detach(const Connection& connection);
    // The run has ended, and the log has its last lines.
    void end(int exit_code);

  private:
    struct Viewer {
        runs::Attach wish;
        std::string text;         // not sent yet
        std::size_t skipped = 0;  // lines, since `text` is full
        std::uint64_t seen = 0;   // the change that its last table or state shows; 0: none
        progress::Time drawn{};   // when that was sent
    };

    bool wants_events() const override;
    void put_event(const std::string& line) override;
    void changed() override { ++changes_; }
    void conclude(const runner::Outcome& outcome) override;

    void put_log_line(const io::log::Line& line);
    void put_summaries();
    void tick();
    void draw();
    bool is_due(const Viewer& viewer) const;
    void send_text(io::FramedSocket& connection, Viewer& viewer);
    std::string table_message(const runs::Attach& wish) const;
    std::string state_message() const;

    boost::asio::steady_timer timer_;
    bool sleeps_ = false;  // until there is a viewer
    std::map<Connection, Viewer> viewers_;
    std::uint64_t changes_ = 1;
    progress::Time summed_up_{};
};

}  // namespace displays
