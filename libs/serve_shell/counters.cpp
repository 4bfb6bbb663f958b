#include "serve_shell/counters.hpp"

#include "io/log.hpp"
#include "statelog/log_file.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <cerrno>
#include <unistd.h>
#include <utility>

namespace serve_shell {

namespace asio = boost::asio;

namespace {

constexpr std::size_t piece_size = 256 * 1024;

struct CountingTurn {
    CountingTurn(bool& taken, const io::Bells& bells) : is_taken(taken), waiting(bells) { is_taken = true; }
    ~CountingTurn() {
        is_taken = false;
        waiting.ring();
    }
    CountingTurn(const CountingTurn&) = delete;
    CountingTurn& operator=(const CountingTurn&) = delete;

    bool& is_taken;
    const io::Bells& waiting;
};

}  // namespace

ServeCounters::ServeCounters(const asio::any_io_executor& executor)
    : executor_(executor), begun_(statelog::now()) {}

// A log is closed when it was read to its end after its run had ended.
asio::awaitable<void> ServeCounters::count(const ServedRuns& runs) {
    io::Bell bell(executor_);
    auto waiting = waiting_.add(bell);
    while (is_counting_)
        co_await bell.wait();
    CountingTurn turn(is_counting_, waiting_);
    open_logs(runs);
    for (auto log = logs_.begin(); log != logs_.end();) {
        while (read_piece(log->second))
            co_await asio::post(executor_, asio::use_awaitable);
        auto read = log++;
        if (living_.contains(read->first)) continue;
        done_.insert(read->first);
        logs_.erase(read);
    }
}

void ServeCounters::open_logs(const ServedRuns& runs) {
    living_.clear();
    std::set<std::string> there;
    for (const ServedRuns::Run* run : runs.all()) {
        const runs::RunRecord& record = run->found.record;
        there.insert(record.id);
        if (runs::is_living(run->state)) living_.insert(record.id);
        if (logs_.contains(record.id) || done_.contains(record.id)) continue;
        if (runs::is_living(run->state) || runs::end_of(run->found) >= begun_)
            open_log(record);
        else
            done_.insert(record.id);
    }
    std::erase_if(done_, [&](const std::string& id) { return !there.contains(id); });
}

// What a resumed run has copied from the log of the one before was counted there.
void ServeCounters::open_log(const runs::RunRecord& record) {
    auto opened = statelog::open_log(record.state_log);
    if (!opened) {
        io::log::debug("the metrics leave out the run ", record.id, ": ", opened.error().message);
        return;
    }
    serve::RunCounter counter(record.state_log, std::max(begun_, record.started));
    logs_.emplace(record.id, Log{std::move(counter), std::move(*opened)});
}

// Returns whether there may be more.
bool ServeCounters::read_piece(Log& log) {
    if (log.is_damaged) return false;
    std::string piece(piece_size, '\0');
    ssize_t got = 0;
    do
        got = ::pread(log.fd.get(), piece.data(), piece.size(), static_cast<off_t>(log.offset));
    while (got < 0 && errno == EINTR);
    if (got <= 0) return false;
    auto size = static_cast<std::size_t>(got);
    log.offset += size;
    auto fed = log.counter.feed(std::string_view(piece).substr(0, size), totals_);
    if (!fed) io::log::warn("the metrics leave out a part of a run: ", fed.error().message);
    log.is_damaged = !fed;
    return fed && size == piece.size();
}

}  // namespace serve_shell
