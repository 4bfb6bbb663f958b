#include "serve_shell/runs_watch.hpp"

#include "io/log.hpp"

#include <chrono>

namespace serve_shell {

namespace {

constexpr std::chrono::milliseconds runs_interval{250};

}  // namespace

boost::asio::awaitable<void> RunsWatch::run() {
    while (true) {
        if (watchers_.empty()) {
            co_await wake_.wait();
        } else {
            look();
            co_await wake_.wait(runs_interval);
        }
    }
}

void RunsWatch::look() {
    auto before = list_.version();
    if (auto refreshed = list_.refresh(); !refreshed) io::log::debug(refreshed.error().message);
    if (list_.version() != before) watchers_.ring();
}

io::Bells::Watch RunsWatch::watch(io::Bell& bell) {
    if (watchers_.empty()) wake_.ring();
    return watchers_.add(bell);
}

base::Result<const ServedRuns*> RunsWatch::now() {
    auto before = list_.version();
    auto refreshed = list_.refresh();
    if (list_.version() != before) watchers_.ring();
    if (!refreshed) return refreshed.error();
    return &list_;
}

}  // namespace serve_shell
