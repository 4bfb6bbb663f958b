#include "serve_shell/follower.hpp"

#include "base/base64.hpp"
#include "base/text.hpp"
#include "serve/event_text.hpp"
#include "statelog/entry_json.hpp"
#include "statelog/log_file.hpp"
#include "statelog/log_use.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace serve_shell {

namespace asio = boost::asio;
using std::chrono::steady_clock;

namespace {

constexpr std::chrono::milliseconds follower_interval{100};
constexpr std::chrono::seconds link_interval{1};
constexpr std::chrono::milliseconds longest_wait_for_state{500};
// Rows and ends of attempts in one event: 2 MB of text.
constexpr std::uint32_t most_in_event = 40'000;
// Takes some milliseconds to index.
constexpr std::size_t follower_piece = 256 * 1024;

bool is_same_file(int fd, const std::string& path) {
    struct stat open {};
    struct stat named {};
    return ::fstat(fd, &open) == 0 && ::stat(path.c_str(), &named) == 0 && open.st_ino == named.st_ino &&
           open.st_dev == named.st_dev;
}

}  // namespace

Follower::Follower(const asio::any_io_executor& executor, const RunsWatch& runs, runs::FoundRun run)
    : executor_(executor), runs_(runs), found_(std::move(run)), wake_(executor) {
    begin_anew();
}

void Follower::begin_anew() {
    trace_ = std::make_unique<trace::Trace>(found_.record.state_log);
    offset_ = 0;
    problem_.reset();
    fd_.reset();
    made_.reset();
    ++generation_;
}

asio::awaitable<void> Follower::run() {
    auto self = shared_from_this();
    while (!is_over_) {
        if (fd_ && !is_same_file(fd_.get(), found_.record.state_log)) begin_anew();
        if (!fd_) open_log();
        co_await read_to_end();
        ++passes_;
        waiting_.ring();
        keep_link();
        notify_watchers();
        if (is_watched() && is_living())
            co_await wake_.wait(follower_interval);
        else
            co_await wake_.wait();
    }
    link_.reset();
}

void Follower::end() {
    is_over_ = true;
    wake_.ring();
}

void Follower::open_log() {
    problem_.reset();
    auto opened = statelog::open_log(found_.record.state_log);
    if (opened)
        fd_ = std::move(*opened);
    else
        problem_ = opened.error();
}

// Reads in pieces, between which everyone else has a turn.
asio::awaitable<void> Follower::read_to_end() {
    std::string piece(follower_piece, '\0');
    while (fd_ && !problem_ && !is_over_) {
        ssize_t got = ::pread(fd_.get(), piece.data(), piece.size(), static_cast<off_t>(offset_));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) problem_ = base::system_error("cannot read " + found_.record.state_log);
        if (got <= 0) break;
        offset_ += static_cast<std::uint64_t>(got);
        auto fed = trace_->feed(std::string_view(piece.data(), static_cast<std::size_t>(got)));
        if (!fed) problem_ = fed.error();
        if (static_cast<std::size_t>(got) < piece.size()) break;
        co_await asio::post(executor_, asio::use_awaitable);
    }
}

void Follower::notify_watchers() {
    Notified now{generation_, trace_->position(), trace_->unreported().version(), state_version_,
                 problem_.has_value()};
    if (now != notified_) watchers_.ring();
    notified_ = now;
}

bool Follower::is_living() const {
    const auto* run = runs_.last().find(found_.record.id);
    return run != nullptr && runs::is_living(run->state);
}

void Follower::keep_link() {
    bool has_ended = std::exchange(link_has_ended_, false);
    if (has_ended) next_link_ = steady_clock::now() + link_interval;
    if (!is_watched() || has_ended) {
        link_.reset();
        if (!state_.empty()) set_state("");
    }
    if (link_ || !is_watched() || !is_living() || steady_clock::now() < next_link_) return;
    auto opened = StateLink::open(
        executor_, found_.path, [this](std::string state) { set_state(std::move(state)); },
        [this] {
            link_has_ended_ = true;
            wake_.ring();
        });
    if (opened)
        link_ = std::move(*opened);
    else
        next_link_ = steady_clock::now() + link_interval;
}

void Follower::set_state(std::string state) {
    state_ = std::move(state);
    ++state_version_;
    waiting_.ring();
}

io::Bells::Watch Follower::watch(io::Bell& bell) {
    if (watchers_.empty()) wake_.ring();
    return watchers_.add(bell);
}

asio::awaitable<void> Follower::catch_up() {
    auto self = shared_from_this();
    auto wanted = passes_ + 1;
    io::Bell bell(executor_);
    auto waiting = waiting_.add(bell);
    wake_.ring();
    while (passes_ < wanted && !is_over_)
        co_await bell.wait();
}

asio::awaitable<void> Follower::wait_for_state() {
    auto self = shared_from_this();
    io::Bell bell(executor_);
    auto waiting = waiting_.add(bell);
    auto watching = watch(bell);
    auto give_up = steady_clock::now() + longest_wait_for_state;
    while (state_.empty() && is_living() && !is_over_ && steady_clock::now() < give_up)
        co_await bell.wait(give_up - steady_clock::now());
}

base::Result<std::string> Follower::line_at(std::uint64_t offset) const {
    return statelog::read_line(fd_.get(), found_.record.state_log, offset);
}

std::string Follower::trace_event(trace::Position& from) const {
    if (from == trace_->position()) return "";
    if (!made_ || made_->from != from) {
        std::string batch;
        Made made{from, {}, {}};
        made.to = trace_->append_batch(batch, from, most_in_event);
        made.text = serve::event_text("trace", base::to_base64(batch), to_string(made.to));
        made_ = std::move(made);
    }
    from = made_->to;
    return made_->text;
}

std::string Follower::usage_event() const {
    std::string rows = statelog::usage_json(trace_->unreported().table(), *trace_->config());
    std::ranges::replace(rows, '\n', ' ');
    return serve::event_text("usage", rows);
}

std::size_t Follower::size() const {
    constexpr std::size_t per_row = 48;
    constexpr std::size_t per_end = 64;
    constexpr std::size_t fixed = 64 * 1024;
    auto position = trace_->position();
    return fixed + per_row * position.rows + per_end * position.completions;
}

}  // namespace serve_shell
