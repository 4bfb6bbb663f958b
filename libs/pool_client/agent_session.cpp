#include "pool_client/agent_session.hpp"

#include "io/log.hpp"
#include "pool_protocol/messages.hpp"
#include "pool_protocol/names.hpp"
#include "pool_protocol/session.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>

namespace pool_client {

namespace asio = boost::asio;
using boost::system::error_code;
using Clock = std::chrono::steady_clock;

namespace {

constexpr std::chrono::milliseconds first_pause{50};
constexpr std::chrono::milliseconds longest_pause{1000};
constexpr std::chrono::seconds unsupported_pause{
    30};  // the daemon may be replaced by one that knows sessions
constexpr std::chrono::seconds closing_time{1};
constexpr std::chrono::seconds unserved_time{5};  // a daemon is restarted in less
constexpr std::chrono::seconds greeting_time{5};
constexpr std::chrono::milliseconds output_step{10};

}  // namespace

AgentSession::AgentSession(asio::any_io_executor executor, pool_protocol::PoolDirectory directory,
                           std::string id, Listener listener)
    : executor_(executor),
      directory_(std::move(directory)),
      id_(std::move(id)),
      listener_(std::move(listener)),
      changed_(executor),
      news_timer_(executor) {}

AgentSession::~AgentSession() {
    alive_.reset();
    if (link_) link_->close();
}

asio::awaitable<void> AgentSession::keep() {
    asio::steady_timer timer(executor_);
    std::chrono::milliseconds pause = first_pause;
    while (true) {
        Attempt attempt = co_await connect();
        note_service(attempt);
        if (attempt == Attempt::denied) co_return;
        if (attempt == Attempt::connected) {
            pause = first_pause;
            while (connected_) {
                changed_.expires_at(Clock::time_point::max());
                error_code ignored;
                co_await changed_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
                if ((co_await asio::this_coro::cancellation_state).cancelled() !=
                    asio::cancellation_type::none)
                    throw boost::system::system_error(asio::error::operation_aborted);
            }
        }
        timer.expires_after(attempt == Attempt::not_supported ? unsupported_pause : pause);
        co_await timer.async_wait(asio::use_awaitable);
        pause = std::min(2 * pause, longest_pause);
    }
}

void AgentSession::note_service(Attempt attempt) {
    if (!listener_.on_served) return;
    if (attempt != Attempt::abandoned) {
        unserved_since_.reset();
        if (std::exchange(was_unserved_, false)) listener_.on_served(true);
        return;
    }
    if (!unserved_since_) unserved_since_ = Clock::now();
    if (was_unserved_ || Clock::now() - *unserved_since_ < unserved_time) return;
    was_unserved_ = true;
    listener_.on_served(false);
}

asio::awaitable<AgentSession::Attempt> AgentSession::connect() {
    auto pool = io::Directory::open(directory_.path);
    if (pool.has_error()) co_return Attempt::not_served;
    // The published daemon, which its status file identifies, has no sessions.
    auto status = pool->read(pool_protocol::status_name, 64);
    if (status.has_error()) co_return Attempt::not_served;
    if (status->starts_with("ready")) co_return Attempt::not_supported;
    auto socket = io::connect_local(*pool, pool_protocol::socket_name);
    if (socket.has_error() && io::is_denied(socket.error())) {
        io::log::debug(socket.error().message, "; the agents go on by files");
        co_return Attempt::denied;
    }
    if (socket.has_error()) co_return Attempt::abandoned;
    int descriptor = socket->get();
    io::FramedSocket::Callbacks callbacks;
    std::weak_ptr<int> alive = alive_;
    callbacks.on_frame = [this, alive](const std::shared_ptr<io::FramedSocket>&, std::string frame) {
        if (!alive.expired()) frame_came(frame);
    };
    callbacks.on_bad_frame = [](const std::shared_ptr<io::FramedSocket>& connection, std::string) {
        connection->close();
    };
    callbacks.on_gone = [this, alive](const std::shared_ptr<io::FramedSocket>&, io::FramedSocket::Payloads) {
        if (!alive.expired()) connection_lost();
    };
    io::LocalSocket connected(executor_, asio::local::stream_protocol(), socket->release());
    link_ = std::make_shared<io::FramedSocket>(
        std::move(connected),
        io::FramedSocket::Limits{pool_protocol::longest_message, std::nullopt, std::nullopt},
        std::move(callbacks));
    link_->start();
    // This comes before the daemon knows of the session: otherwise it could see its end too early.
    if (listener_.on_socket) listener_.on_socket(descriptor);
    link_->send(to_json(pool_protocol::SessionGreeting{id_, true}));
    changed_.expires_after(greeting_time);
    error_code ignored;
    co_await changed_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    if ((co_await asio::this_coro::cancellation_state).cancelled() != asio::cancellation_type::none)
        throw boost::system::system_error(asio::error::operation_aborted);
    if (connected_) co_return Attempt::connected;
    if (!link_) co_return Attempt::not_served;
    link_->close();
    co_return Attempt::not_supported;
}

void AgentSession::frame_came(const std::string& frame) {
    auto greeting = pool_protocol::parse_session_greeting(frame);
    if (greeting && greeting->session == id_) {
        connected_ = true;
        changed_.cancel();
        daemon_knows_activity_ = greeting->knows_activity;
        news_.begin_anew();
        return send_news();
    }
    if (auto kick = pool_protocol::parse_agent_kick(frame)) {
        auto found = callbacks_.find(kick->agent);
        if (found == callbacks_.end()) return;
        auto on_kick = found->second.on_kick;
        return on_kick(kick->reason);
    }
    if (!connected_) changed_.cancel();  // an older daemon answers that the greeting is invalid
}

void AgentSession::connection_lost() {
    link_.reset();
    connected_ = false;
    news_timer_.cancel();
    if (listener_.on_socket) listener_.on_socket(-1);
    changed_.cancel();
    auto listeners = callbacks_;
    for (const auto& [agent, callbacks] : listeners)
        if (callbacks_.contains(agent)) callbacks.on_lost();
}

bool AgentSession::release(const std::string& agent, const pool_protocol::Release& release) {
    if (!connected_) return false;
    link_->send(to_json(pool_protocol::AgentRelease{agent, release}));
    return true;
}

void AgentSession::set_activity(const std::string& agent, const pool_protocol::AgentActivity& activity) {
    news_.set_activity(agent, activity);
    send_news();
}

void AgentSession::set_away(pool_protocol::AgentAway away) {
    news_.set_away(std::move(away));
    send_news();
}

void AgentSession::set_back(const std::string& name) {
    news_.set_back(name);
    send_news();
}

// News wait in this process, the newest of each agent only, while the daemon reads slowly.
void AgentSession::send_news() {
    if (!connected_ || !daemon_knows_activity_) return;
    auto link = link_;
    if (link->has_output()) return send_news_at(Clock::now() + AgentNews::activity_interval);
    for (std::string& frame : news_.take_due(Clock::now()))
        link->send(std::move(frame));
    if (auto next = news_.next_due()) send_news_at(*next);
}

void AgentSession::send_news_at(Clock::time_point time) {
    news_timer_.expires_at(time);
    news_timer_.async_wait([this, alive = std::weak_ptr(alive_)](error_code ec) {
        if (!ec && !alive.expired()) send_news();
    });
}

AgentSession::Listening::Listening(AgentSession& session, std::string agent, Callbacks callbacks)
    : session_(session), agent_(std::move(agent)) {
    session_.callbacks_[agent_] = std::move(callbacks);
}

AgentSession::Listening::~Listening() {
    session_.callbacks_.erase(agent_);
}

asio::awaitable<void> AgentSession::close() {
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    asio::steady_timer step(executor_);
    auto end = Clock::now() + closing_time;
    while (link_ && link_->has_output() && Clock::now() < end) {
        step.expires_after(output_step);
        co_await step.async_wait(asio::use_awaitable);
    }
    if (link_) link_->close();
}

}  // namespace pool_client
