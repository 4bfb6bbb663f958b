#include "viewers.hpp"

#include "base/text.hpp"
#include "log_colors.hpp"
#include "plain_progress.hpp"
#include "progress/summary.hpp"
#include "progress/table.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <utility>

namespace barnum {

namespace asio = boost::asio;
namespace log = io::log;
using Mode = runs::Attach::Mode;

namespace {

constexpr std::chrono::milliseconds tick_interval{100};
constexpr std::chrono::seconds clock_interval{1};  // of a table whose durations alone change
constexpr std::size_t most_text = 1 << 20;         // bytes that wait for a viewer

bool is_json(const runs::Attach& wish) {
    return wish.mode == Mode::json;
}

void append(std::string& text, std::size_t& skipped, std::string_view line) {
    if (line.empty()) return;
    if (text.size() + line.size() > most_text)
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
    viewers_[connection].wish = wish;
    has_changed_ = true;
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
        else if (!is_in_table || log::enabled(log::Level::debug))
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
    if (has_begun() && (has_changed_ || now() - drawn_ >= clock_interval)) draw_tables();
}

void Viewers::send_text(io::FramedSocket& connection, Viewer& viewer) {
    if (viewer.text.empty() || connection.has_output()) return;
    std::size_t skipped = std::exchange(viewer.skipped, 0);
    if (skipped > 0 && !is_json(viewer.wish))
        viewer.text += base::concat("    … ", base::counted(skipped, "line"),
                                    " left out because this terminal was too slow\n");
    connection.send(runs::to_json(runs::Text{std::exchange(viewer.text, "")}));
}

void Viewers::draw_tables() {
    has_changed_ = false;
    drawn_ = now();
    for (auto& [connection, viewer] : viewers_)
        if (viewer.wish.mode == Mode::table && !connection->has_output())
            connection->send(table_message(viewer.wish));
}

std::string Viewers::table_message(const runs::Attach& wish) const {
    return runs::to_json(runs::Table{progress::table(model(), run().agents(), spending(), now(),
                                                     {{wish.columns, wish.rows}, wish.colored})});
}

void Viewers::conclude(const runner::Outcome& outcome) {
    if (wants_events()) put_event(end_event(outcome));
    for (auto& [connection, viewer] : viewers_) {
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

}  // namespace barnum
