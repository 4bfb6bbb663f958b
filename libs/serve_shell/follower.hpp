// One run as `barnum serve` shows it: the index of its state log, which is read on while somebody watches,
// and the state that the run reports while it is running. Shared by all who watch the run.
#pragma once

#include "base/error.hpp"
#include "io/bell.hpp"
#include "io/unique_fd.hpp"
#include "serve_shell/control.hpp"
#include "serve_shell/runs_watch.hpp"
#include "trace/trace.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace serve_shell {

// To be used from the executor's thread only.
class Follower : public std::enable_shared_from_this<Follower> {
  public:
    // `runs` must outlive it.
    Follower(const boost::asio::any_io_executor& executor, const RunsWatch& runs, runs::FoundRun run);

    // Reads what is new. Ends after end(), and when it is cancelled.
    boost::asio::awaitable<void> run();
    void end();

    // Rings when something is new, for as long as the result exists. Only then is the log read on.
    io::Bells::Watch watch(io::Bell& bell);
    bool is_watched() const { return !watchers_.empty(); }

    // Returns when all has been read that was in the log, or when it cannot be read.
    boost::asio::awaitable<void> catch_up();
    // Returns when the run has reported its state, or after half a second.
    boost::asio::awaitable<void> wait_for_state();

    const runs::FoundRun& found() const { return found_; }
    const trace::Trace& trace() const { return *trace_; }
    // Why the log cannot be read (any further).
    const std::optional<base::Error>& problem() const { return problem_; }
    // The trace is of another log than positions that were sent before: the log was replaced.
    std::uint64_t generation() const { return generation_; }

    // The run's last state, a JSON object; "" if it has reported none, or is not running.
    const std::string& state() const { return state_; }
    std::uint64_t state_version() const { return state_version_; }

    // The line of the log that begins there, without its newline.
    base::Result<std::string> line_at(std::uint64_t offset) const;
    // The descriptor of the log, for reading; -1 if it could not be opened.
    int fd() const { return fd_.get(); }
    std::uint64_t bytes_read() const { return offset_; }

    // The events `trace` with what comes after `from`, which the trace contains; "" if nothing does. Made
    // once for all who are equally far. Sets `from` to the position after them.
    std::string trace_event(trace::Position& from) const;
    // The event `usage`: what agents have used that no report has told; the trace must have its config.
    std::string usage_event() const;

    // The memory that its index takes, about.
    std::size_t size() const;

  private:
    boost::asio::awaitable<void> read_to_end();
    void open_log();
    void begin_anew();
    bool is_living() const;
    void keep_link();
    void set_state(std::string state);
    void notify_watchers();

    boost::asio::any_io_executor executor_;
    const RunsWatch& runs_;
    runs::FoundRun found_;
    io::UniqueFd fd_;
    std::uint64_t offset_ = 0;
    std::unique_ptr<trace::Trace> trace_;
    std::optional<base::Error> problem_;
    std::uint64_t generation_ = 0;

    std::unique_ptr<StateLink> link_;
    bool link_has_ended_ = false;
    std::chrono::steady_clock::time_point next_link_{};  // before that, none is tried
    std::string state_;
    std::uint64_t state_version_ = 0;

    struct Notified {
        std::uint64_t generation = 0;
        trace::Position position;
        std::uint64_t usage = 0;
        std::uint64_t state = 0;
        bool has_problem = false;

        friend bool operator==(const Notified&, const Notified&) = default;
    };
    Notified notified_;  // what the watchers have been notified of

    struct Made {
        trace::Position from, to;
        std::string text;
    };
    mutable std::optional<Made> made_;

    io::Bell wake_;
    io::Bells watchers_;
    io::Bells waiting_;         // for the end of a pass
    std::uint64_t passes_ = 0;  // over what was new in the log
    bool is_over_ = false;
};

}  // namespace serve_shell
