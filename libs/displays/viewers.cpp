#include "displays/viewers.hpp"

#include "base/text.hpp"
#include "displays/log_colors.hpp"
#include "displays/plain_progress.hpp"
#include "progress/state.hpp"
#include "progress/summary.hpp"
#include "progress/table.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <utility>

namespace displays {

namespace asio = boost::asio;
namespace log = io::log;
using Mode = runs::Attach::Mode;

namespace {

constexpr std::chrono::milliseconds tick_interval{100};
// How often a table is sent whose durations alone change, and a state whose rates fall while nothing happens.
constexpr std::chrono::seconds clock_interval{1};
constexpr std::chrono::seconds rate_interval{10};
constexpr std::size_t most_viewer_text = 1 << 20;  // bytes that wait for a viewer

bool is_json(const runs::Attach& wish) {
    return wish.mode == Mode::json;
}

bool has_lines(const runs::Attach& wish) {
    return wish.mode != Mode::state;
}

void append(std::string& text, std::size_t& skipped, std::string_view line) {
    if (line.empty()) return;
    if (text.size() + line.size() > most_viewer_text)
        ++skipped;
    else
        text += line;
}

}  // namespace

Viewers::Viewers(asio::any_io_executor executor, WatchedRun run)
    : EventProgress(std::move(run)), timer_(executor) {
    log::set_listener([this](const log::Line& line) { put_log_line(line); });
}

Viewers::~Viewers() {
    log::set_listener({});
}

void Viewers::attach(const Connection& connection, const runs::Attach& wish) {
    bool is_new = !viewers_.contains(connection);
    Viewer& viewer = viewers_[connection];
    viewer.wish = wish;
    viewer.seen = 0;
    if (is_new) summed_up_ = {};
    if (std::exchange(sleeps_, false)) timer_.cancel();
}

void Viewers::detach(const Connection& connection) {
    viewers_.erase(connection);
}

bool Viewers::wants_events() const {
    return std::ranges::any_of(viewers_, [](const auto& one) { return is_json(one.second.wish); });
}

void Viewers::put_event(const std::string& line) {
    for (auto& [connection, viewer] : viewers_)
        if (is_json(viewer.wish)) append(viewer.text, viewer.skipped, line);
}

void Viewers::put_log_line(const log::Line& line) {
    for (auto& [connection, viewer] : viewers_) {
        bool is_in_table = viewer.wish.mode == Mode::table && line.is_state_change;
        if (is_json(viewer.wish))
            append(viewer.text, viewer.skipped, log_event(line));
        else if (has_lines(viewer.wish) && (!is_in_table || log::enabled(log::Level::debug)))
            append(viewer.text, viewer.skipped,
                   viewer.wish.colored ? with_colors(line) : std::string(line.formatted));
    }
}

void Viewers::put_summaries() {
    summed_up_ = now();
    for (auto& [connection, viewer] : viewers_)
        if (is_json(viewer.wish))
            append(viewer.text, viewer.skipped, summary_event());
        else if (viewer.wish.mode == Mode::plain)
            append(viewer.text, viewer.skipped,
                   progress::summary_line(model(), run().agents(), spending(), now()) + "\n");
}

asio::awaitable<void> Viewers::show() {
    while (true) {
        tick();
        sleeps_ = viewers_.empty();
        if (sleeps_)
            timer_.expires_at(asio::steady_timer::time_point::max());
        else
            timer_.expires_after(tick_interval);
        boost::system::error_code woken;
        co_await timer_.async_wait(asio::redirect_error(asio::use_awaitable, woken));
        auto cancellation = co_await asio::this_coro::cancellation_state;
        if (cancellation.cancelled() != asio::cancellation_type::none) co_return;
    }
}

void Viewers::tick() {
    if (has_begun() && now() - summed_up_ >= summary_interval) put_summaries();
    for (auto& [connection, viewer] : viewers_)
        send_text(*connection, viewer);
    if (has_begun()) draw();
}

void Viewers::send_text(io::FramedSocket& connection, Viewer& viewer) {
    if (viewer.text.empty() || connection.has_output()) return;
    std::size_t skipped = std::exchange(viewer.skipped, 0);
    if (skipped > 0 && !is_json(viewer.wish))
        viewer.text += base::concat("    … ", base::counted(skipped, "line"),
                                    " left out because this terminal was too slow\n");
    connection.send(runs::to_json(runs::Text{std::exchange(viewer.text, "")}));
}

bool Viewers::is_due(const Viewer& viewer) const {
    if (viewer.seen != changes_) return true;
    auto age = now() - viewer.drawn;
    return viewer.wish.mode == Mode::table ? age >= clock_interval : age >= rate_interval;
}

void Viewers::draw() {
    std::string state;  // of all viewers alike
    for (auto& [connection, viewer] : viewers_) {
        bool is_table = viewer.wish.mode == Mode::table;
        if (!is_table && viewer.wish.mode != Mode::state) continue;
        if (connection->has_output() || !is_due(viewer)) continue;
        if (!is_table && state.empty()) state = state_message();
        connection->send(is_table ? table_message(viewer.wish) : state);
        viewer.seen = changes_;
        viewer.drawn = now();
    }
}

std::string Viewers::table_message(const runs::Attach& wish) const {
    return runs::to_json(runs::Table{progress::table(model(), run().agents(), spending(), now(),
                                                     {{wish.columns, wish.rows}, wish.colored})});
}

std::string Viewers::state_message() const {
    return runs::to_json(
        runs::State{progress::state(wall_time(), model(), run().agents(), spending(), now())});
}

void Viewers::conclude(const runner::Outcome& outcome) {
    if (wants_events()) put_event(end_event(outcome));
    for (auto& [connection, viewer] : viewers_) {
        if (viewer.wish.mode == Mode::state) connection->send(state_message());
        if (viewer.wish.mode != Mode::table) continue;
        const auto& wish = viewer.wish;
        for (const std::string& line :
             progress::final_table(model(), now(), {{wish.columns, wish.rows}, wish.colored}))
            append(viewer.text, viewer.skipped, line + "\n");
        connection->send(runs::to_json(runs::Table{}));
    }
}

void Viewers::end(int exit_code) {
    for (auto& [connection, viewer] : viewers_) {
        send_text(*connection, viewer);
        connection->send(runs::to_json(runs::Ended{exit_code}));
    }
}

}  // namespace displays
