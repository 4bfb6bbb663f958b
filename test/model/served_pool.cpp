#include "served_pool.hpp"

#include "kill_point.hpp"
#include "story.hpp"
#include "world_clock.hpp"

#include <boost/asio/co_spawn.hpp>

#include <filesystem>
#include <stdlib.h>

namespace model {

namespace asio = boost::asio;

namespace {

constexpr std::chrono::milliseconds step{5};
constexpr std::chrono::seconds stop_limit{5};

// In memory, where that is possible.
std::string make_folder() {
    std::error_code ignored;
    bool has_shared_memory = std::filesystem::is_directory("/dev/shm", ignored);
    auto parent =
        has_shared_memory ? std::filesystem::path("/dev/shm") : std::filesystem::temp_directory_path();
    std::string pattern = (parent / "barnum-model-XXXXXX").string();
    must(::mkdtemp(pattern.data()) != nullptr, "no temporary folder: ", pattern);
    return pattern;
}

void rethrow(const std::exception_ptr& problem) {
    if (problem) std::rethrow_exception(problem);
}

}  // namespace

ServedPool::ServedPool() : folder_(make_folder()), directory_(*pool_protocol::locate(folder_, "p")) {}

ServedPool::~ServedPool() {
    kill();
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
}

ServedPool::Start ServedPool::start(pool_daemon::Options options, std::optional<std::uint64_t> calls) {
    asks_to_stop_ = false;
    loop_ = std::make_unique<asio::io_context>(1);
    watch_ = std::make_unique<io::DirectoryWatch>(loop_->get_executor());
    if (calls) kill_point::arm(*calls);
    kill_point::set_disk_full(disk_is_full_);
    auto started = pool_daemon::Daemon::start(loop_->get_executor(), *watch_, directory_, options);
    bool killed = kill_point::disarm() && calls;
    must(started.has_value() || killed || disk_is_full_,
         "the daemon does not start: ", started.has_error() ? started.error().message : "");
    if (started.has_value()) daemon_ = std::move(*started);
    if (daemon_ && !killed) {
        asio::co_spawn(*loop_, listen_for_end(), rethrow);
        return Start::done;
    }
    kill();
    return killed ? Start::killed : Start::failed;
}

ServedPool::Step ServedPool::poll_one(std::optional<std::uint64_t> calls) {
    if (calls) kill_point::arm(*calls);
    kill_point::set_disk_full(disk_is_full_);
    loop_->restart();
    std::size_t done = loop_->poll_one();
    bool killed = kill_point::disarm() && calls;
    if (killed) kill();
    return killed ? Step::killed : done > 0 ? Step::done : Step::nothing_to_do;
}

// All there is to do now; then a little time passes.
void ServedPool::turn() {
    kill_point::set_disk_full(disk_is_full_);
    loop_->restart();
    loop_->poll();
    kill_point::disarm();
    world_clock::pass(step);
}

// The daemon's destructor does for its connections what it can; one that is killed does not. What the loop
// still holds goes without being called.
void ServedPool::kill() {
    kill_point::arm(0);
    daemon_.reset();
    kill_point::disarm();
    watch_.reset();
    loop_.reset();
}

asio::awaitable<void> ServedPool::listen_for_end() {
    co_await daemon_->until_stop_requested();
    asks_to_stop_ = true;
}

void ServedPool::drain() {
    daemon_->request_drain();
}

void ServedPool::stop(const std::function<void()>& meanwhile) {
    daemon_->request_stop();
    run(daemon_->stop(), meanwhile);
}

void ServedPool::hand_over(const std::function<void()>& meanwhile) {
    daemon_->request_stop();
    run(daemon_->hand_over(), meanwhile);
}

std::size_t ServedPool::agents() const {
    pool::Load load = daemon_->load();
    return load.idle + load.busy + load.heartbeat + load.ending;
}

void ServedPool::run(asio::awaitable<void> end, const std::function<void()>& meanwhile) {
    auto begun = std::chrono::steady_clock::now();
    bool has_ended = false;
    asio::co_spawn(*loop_, std::move(end), [&](const std::exception_ptr& problem) {
        rethrow(problem);
        has_ended = true;
    });
    while (!has_ended || !asks_to_stop_) {
        meanwhile();
        turn();
        must(std::chrono::steady_clock::now() - begun < stop_limit, "the daemon does not stop");
    }
    meanwhile();
    // As in a process that goes on: what the daemon has left in the loop is run without it.
    daemon_.reset();
    loop_->restart();
    loop_->poll();
    kill();
}

}  // namespace model
