#include "serve_shell/followers.hpp"

#include "io/log.hpp"

#include <algorithm>
#include <malloc.h>

namespace serve_shell {

namespace asio = boost::asio;
using std::chrono::steady_clock;

namespace {

constexpr std::chrono::seconds follower_look_interval{10};
constexpr std::chrono::minutes longest_unused_time{5};
constexpr std::size_t most_memory = std::size_t{128} << 20;  // of all together, if they are not watched
constexpr std::size_t most_kept = 32;  // each has its log open; more only if they are watched

}  // namespace

Followers::Followers(const asio::any_io_executor& executor, const RunsWatch& runs)
    : executor_(executor), runs_(runs), timer_(executor), tasks_(executor, io::log_exception) {}

std::shared_ptr<Follower> Followers::of(const runs::FoundRun& run) {
    auto kept = kept_.find(run.record.id);
    if (kept == kept_.end()) {
        auto follower = std::make_shared<Follower>(executor_, runs_, run);
        tasks_.spawn("following a run", follower->run());
        kept = kept_.emplace(run.record.id, Kept{std::move(follower), {}}).first;
    }
    kept->second.used = steady_clock::now();
    auto follower = kept->second.follower;
    drop_unused();
    return follower;
}

std::map<std::string, Followers::Kept>::iterator Followers::longest_unused() {
    auto found = kept_.end();
    for (auto kept = kept_.begin(); kept != kept_.end(); ++kept) {
        bool is_used = kept->second.follower->is_watched() || kept->second.follower.use_count() > 2;
        if (is_used) kept->second.used = steady_clock::now();
        if (!is_used && (found == kept_.end() || kept->second.used < found->second.used)) found = kept;
    }
    return found;
}

std::size_t Followers::size() const {
    std::size_t size = 0;
    for (const auto& [id, kept] : kept_)
        size += kept.follower->size();
    return size;
}

// An unused follower is held by its own coroutine, and by the list here.
void Followers::drop_unused() {
    bool any_dropped = false;
    for (auto unused = longest_unused(); unused != kept_.end(); unused = longest_unused()) {
        bool is_old = steady_clock::now() - unused->second.used > longest_unused_time;
        if (!is_old && kept_.size() <= most_kept && size() <= most_memory) break;
        unused->second.follower->end();
        kept_.erase(unused);
        any_dropped = true;
    }
    if (any_dropped) asio::post(executor_, [] { ::malloc_trim(0); });
    if (kept_.empty() || timer_runs_) return;
    timer_runs_ = true;
    timer_.expires_after(follower_look_interval);
    timer_.async_wait([this, alive = std::weak_ptr(alive_)](boost::system::error_code failed) {
        if (alive.expired()) return;
        timer_runs_ = false;
        if (!failed) drop_unused();
    });
}

asio::awaitable<void> Followers::stop() {
    timer_.cancel();
    tasks_.cancel();
    co_await tasks_.join();
    kept_.clear();
}

}  // namespace serve_shell
