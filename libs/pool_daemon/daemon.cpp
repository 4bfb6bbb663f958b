#include "pool_daemon/daemon.hpp"

#include "base/text.hpp"
#include "io/file_lock.hpp"
#include "io/local_socket.hpp"
#include "io/log.hpp"
#include "pool_daemon/daemon_impl.hpp"
#include "pool_daemon/recovery.hpp"
#include "pool_daemon/without_engine.hpp"
#include "pool_protocol/names.hpp"
#include "pool_protocol/session.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace pool_daemon {

namespace asio = boost::asio;
using boost::system::error_code;
using Clock = std::chrono::steady_clock;

namespace {

constexpr std::chrono::milliseconds end_wait{2500};       // for agents to end their work
constexpr std::chrono::milliseconds edge_end_wait{7500};  // if other hosts get their tasks then
constexpr std::chrono::milliseconds kick_wait{500};       // for agents to read that they were kicked
constexpr std::chrono::milliseconds flush_wait{1500};     // for submitters to read `stopped`
constexpr std::chrono::milliseconds stop_step{20};
constexpr std::chrono::milliseconds release_wait{3000};  // for the engine, to give tasks to other hosts

pool::Config pool_config(const Options& options) {
    pool::Config config;
    if (options.heartbeats) config.idle_timeout = options.idle_timeout;
    if (options.task_timeout.count() > 0) config.task_timeout = options.task_timeout;
    return config;
}

io::FramedSocket::Limits connection_limits(const Options& options) {
    constexpr std::chrono::seconds read{10};
    constexpr std::chrono::seconds write{30};
    constexpr std::size_t backlog{1 << 20};  // bytes of answers that a client has not read
    return {options.max_message_bytes, read, write, backlog};
}

}  // namespace

Daemon::Impl::Impl(asio::any_io_executor executor, io::DirectoryWatch& watch,
                   pool_protocol::PoolDirectory directory, PoolFiles files, io::UniqueFd socket,
                   Options options)
    : executor_(executor),
      directory_(std::move(directory)),
      files_(std::move(files)),
      leases_(files_, options.version),
      timers_(executor),
      total_(files_, timers_, [this] { return counts_of(state_.statistics, refused()); }),
      sessions_(session_callbacks()),
      agents_(files_, leases_, timers_, sessions_, options.max_message_bytes, agent_callbacks()),
      submissions_(files_, timers_, options.max_message_bytes, options.reconnect_time,
                   submission_callbacks()),
      missing_agents_(state_, away_, submissions_, timers_, directory_, options.is_private),
      max_message_bytes_(options.max_message_bytes),
      version_(options.version),
      edge_link_(state_, leases_, away_, submissions_,
                 {[this](pool::Event event) { feed(std::move(event)); }, [this] { end_if_drained(); }}),
      inbox_(watch, files_, timers_, agents_, submissions_,
             {[this] { request_stop(); }, [this] { request_drain(); },
              [this] { repair_.begin(files_.pool.path()); }}),
      repair_(timers_, [this] { return create_missing(); }),
      deadline_(executor),
      service_ended_timer_(executor, Clock::time_point::max()),
      listener_(executor, std::move(socket), "pool", connection_limits(options), connection_callbacks()) {
    files_.note_socket();
    state_.config = pool_config(options);
    is_hosted_ = options.is_hosted;
    is_private_ = options.is_private;
    owner_ = options.owner;
}

base::Result<void> Daemon::Impl::start(const std::optional<EngineOptions>& engine) {
    if (engine)
        if (auto opened = open_edge(*engine); opened.has_error()) return opened.error();
    if (!engine)
        if (auto left = leave_engine(files_.pool, is_hosted_); left.has_error()) return left.error();
    if (auto watched = inbox_.watch(); watched.has_error()) return watched.error();
    if (!is_private_) total_.begin();
    note_owner();
    if (auto recovered = recover(); recovered.has_error()) return recovered.error();
    inbox_.scan();
    if (edge_) edge_link_.start();
    listener_.start();
    return files_.announce();
}

base::Result<void> Daemon::Impl::open_edge(const EngineOptions& options) {
    if (auto opened = edge_link_.open(executor_, files_, options); opened.has_error()) return opened.error();
    edge_ = edge_link_.edge();
    missing_agents_.set_edge(*edge_);
    return {};
}

base::Result<void> Daemon::Impl::recover() {
    Recovery recovery(files_, leases_, agents_, submissions_, edge_, state_.config, max_message_bytes_,
                      is_private_);
    auto at_work = recovery.run();
    if (at_work.has_error()) return at_work.error();
    for (pool::Recovered& agent : *at_work)
        feed(std::move(agent));
    return {};
}

pool::Load Daemon::Impl::load() const {
    return pool::load(state_);
}

// Whoever finds the pool after a kill can tell by this note whether somebody will need the pool.
void Daemon::Impl::note_owner() {
    if (owner_.empty()) return;
    auto noted = files_.pool.write(files_.scratch, pool_protocol::owner_name, owner_ + "\n");
    if (noted.has_error()) io::log::warn(noted.error().message);
}

void Daemon::Impl::end_service() {
    service_ended_ = true;
    service_ended_timer_.cancel();
}

void Daemon::Impl::request_stop() {
    has_drained_ = false;  // a stop overrides a drain
    end_service();
}

void Daemon::Impl::request_drain() {
    if (state_.closing) return;
    feed(pool::Draining{});
    if (edge_) edge_->drain();
    io::log::info("draining: ", base::counted(state_.submissions.size(), "task"), " with agents");
}

// Answers that the engine has not got would be lost for a host that is not started again.
void Daemon::Impl::end_if_drained() {
    if (!pool::is_drained(state_) || service_ended_) return;
    if (std::size_t kept = edge_ ? edge_->kept_answers() : 0; kept > 0) {
        if (!std::exchange(waits_for_delivery_, true))
            io::log::info("draining: the engine has not got ", base::counted(kept, "answer"), " yet");
        return;
    }
    has_drained_ = true;
    end_service();
}

asio::awaitable<void> Daemon::Impl::until_stop_requested() {
    error_code ignored;
    while (!service_ended_)
        co_await service_ended_timer_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
}

asio::awaitable<void> Daemon::Impl::stop() {
    if (std::exchange(stopped_, true)) co_return;
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    repair_.end();
    listener_.stop_accepting();
    files_.retire();
    if (edge_) edge_->drain();
    feed(pool::Stopping{});
    if (edge_) submissions_.stop_waiting();
    co_await end_agents();
    auto begun = Clock::now();
    asio::steady_timer step(co_await asio::this_coro::executor);
    // After a drain, slow submitters have their normal time to read their answers.
    while ((agents_.kicks_pending() && Clock::now() < begun + kick_wait) ||
           (listener_.has_output() && (has_drained_ || Clock::now() < begun + flush_wait))) {
        step.expires_after(stop_step);
        co_await step.async_wait(asio::use_awaitable);
    }
    if (edge_) co_await edge_->stop(release_wait);
    if (!hands_over_) {
        files_.note_end({has_drained_, edge_ ? edge_->kept_answers() : 0});
        inbox_.scan_agents();  // an agent that announces itself later finds the note
    }
    inbox_.stop();
    agents_.finish_kicks();
    files_.forget_leases();
    end();
    // Handlers that are already due cannot be cancelled. They run now, while the objects that they use exist.
    co_await asio::post(asio::use_awaitable);
}

// A daemon that is started after this one must find no agent at work.
asio::awaitable<void> Daemon::Impl::end_agents() {
    auto end = Clock::now() + (edge_ ? edge_end_wait : end_wait);
    asio::steady_timer step(co_await asio::this_coro::executor);
    while (pool::load(state_).ending > 0 && Clock::now() < end) {
        step.expires_after(stop_step);
        co_await step.async_wait(asio::use_awaitable);
    }
    feed(pool::Stopping{});
}

asio::awaitable<void> Daemon::Impl::hand_over() {
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    asio::steady_timer step(co_await asio::this_coro::executor, stop_step);
    co_await step.async_wait(asio::use_awaitable);  // lets agents and submitters that have gone be noticed
    if (state_.agents.empty() && !submissions_.has_clients()) {
        hands_over_ = true;
        co_await stop();
        co_return;
    }
    if (std::exchange(stopped_, true)) co_return;
    repair_.end();
    listener_.stop_accepting();
    files_.retire();
    submissions_.refuse_anonymous();
    auto next = submissions_.next_host();
    if (next) next->send(pool_protocol::host_request());
    io::log::info(
        "the pool at ", files_.pool.path(),
        next ? " is handed over to another run" : " keeps its agents for the next run that hosts it");
    auto begun = Clock::now();
    while (listener_.has_output() && Clock::now() < begun + flush_wait) {
        step.expires_after(stop_step);
        co_await step.async_wait(asio::use_awaitable);
    }
    inbox_.stop();
    agents_.finish_kicks();
    end();
    co_await asio::post(asio::use_awaitable);
}

void Daemon::Impl::end() {
    submissions_.end();
    total_.write();
    timers_.cancel();
    sessions_.forget_all();  // connections that are closed from here on do not mean that agents have died
    listener_.close_all();
    deadline_.cancel();
}

Daemon::Daemon(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}
Daemon::~Daemon() = default;

base::Result<std::unique_ptr<Daemon>> Daemon::start(asio::any_io_executor executor, io::DirectoryWatch& watch,
                                                    pool_protocol::PoolDirectory directory, Options options,
                                                    io::UniqueFd inherited) {
    auto files = PoolFiles::claim(directory, static_cast<bool>(inherited));
    if (files.has_error()) return files.error();
    if (auto can = can_read_leases(directory, *files, options.version); can.has_error()) return can.error();
    base::Result<io::UniqueFd> socket = std::move(inherited);
    if (!*socket) socket = io::listen_local(files->pool, pool_protocol::socket_name);
    if (socket.has_error()) return socket.error();
    auto impl = std::make_shared<Impl>(executor, watch, std::move(directory), std::move(*files),
                                       std::move(*socket), options);
    if (auto started = impl->start(options.engine); started.has_error()) return started.error();
    return std::unique_ptr<Daemon>(new Daemon(std::move(impl)));
}

asio::awaitable<void> Daemon::until_stop_requested() {
    return impl_->until_stop_requested();
}
void Daemon::request_stop() {
    impl_->request_stop();
}
void Daemon::request_drain() {
    impl_->request_drain();
}
asio::awaitable<void> Daemon::stop() {
    return impl_->stop();
}
asio::awaitable<void> Daemon::hand_over() {
    return impl_->hand_over();
}
void Daemon::remove_pool() {
    impl_->remove_pool();
}
bool Daemon::is_displaced() const {
    return impl_->is_displaced();
}
std::string Daemon::state() const {
    return impl_->state();
}

pool_protocol::Status Daemon::status() const {
    return impl_->status();
}

pool::Load Daemon::load() const {
    return impl_->load();
}

bool is_locked(const pool_protocol::PoolDirectory& directory) {
    auto pool = io::Directory::open(directory.path);
    return pool.has_value() && io::is_locked(*pool, pool_protocol::lock_name).value_or(false);
}

bool is_served(const pool_protocol::PoolDirectory& directory) {
    return io::connect_local(directory.path, pool_protocol::socket_name).has_value();
}

}  // namespace pool_daemon
