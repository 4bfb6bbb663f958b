#include "nats/client.hpp"

#include "base/text.hpp"
#include "io/internal_error.hpp"
#include "io/log.hpp"
#include "nats/client_parts.hpp"
#include "nats/error.hpp"

#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <ctime>
#include <random>
#include <vector>

namespace nats {

namespace asio = boost::asio;

namespace {

constexpr std::size_t piece_size = std::size_t{64} << 10;

// Nobody else can guess it, so that nobody can answer in a server's name.
std::string random_token() {
    std::random_device random;
    std::string token;
    for (int i = 0; i < 4; ++i)
        token += base::concat(std::uint32_t{random()}, i < 3 ? "-" : "");
    return token;
}

// This clock goes on while the process, or the machine, is suspended.
std::chrono::nanoseconds time_since_boot() {
    timespec time{};
    ::clock_gettime(CLOCK_BOOTTIME, &time);
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

Settings with_random(Settings settings) {
    settings.inbox_token = random_token();
    settings.seed = std::random_device()();
    return settings;
}

}  // namespace

Client::Client(asio::any_io_executor executor, Settings settings, Files files, OnNotice on_notice)
    : executor_(executor),
      write_patience_(settings.write_patience),
      session_(with_random(std::move(settings))),
      files_(std::move(files)),
      on_notice_(std::move(on_notice)),
      timer_(executor, false),
      written_(executor, asio::steady_timer::time_point::max()),
      tasks_(executor, io::end_process) {}

Client::~Client() = default;

Time Client::now() {
    return Time(io::ActiveClock::now().time_since_epoch());
}

asio::awaitable<void> Client::run() {
    session_.start(now());
    pump();
    io::Bell never(executor_);
    std::exception_ptr cancelled;
    try {
        while (true)
            co_await never.wait();
    } catch (const boost::system::system_error&) {
        cancelled = std::current_exception();
    }
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    has_ended_ = true;
    session_.stop();
    pump();
    timer_.cancel();
    written_.cancel();
    tasks_.cancel();
    co_await tasks_.join();
    std::rethrow_exception(cancelled);
}

// Carries out what the session wants, also what it wants because of that.
void Client::pump() {
    if (is_pumping_) return;
    struct Pumping {
        bool& flag;
        ~Pumping() { flag = false; }
    } pumping{is_pumping_};
    is_pumping_ = true;
    for (auto actions = session_.take_actions(); !actions.empty(); actions = session_.take_actions())
        for (Action& action : actions)
            perform(action);
    if (link_ && session_.has_output()) {
        if (!output_since_ && in_flight_ == 0) output_since_ = time_since_boot();
        link_->output.ring();
    }
    arm_timer();
}

void Client::perform(Action& action) {
    if (auto* deliver_message = std::get_if<Deliver>(&action)) {
        deliver(std::move(deliver_message->message));
    } else if (auto* reply = std::get_if<Reply>(&action)) {
        auto found = replies_.extract(reply->request);
        if (!found.empty()) found.mapped()(std::move(reply->message));
    } else if (const auto* begun = std::get_if<Connect>(&action)) {
        connect(begun->server);
    } else if (std::holds_alternative<StartTls>(action)) {
        link_->wants_tls = true;
    } else if (std::holds_alternative<Disconnect>(action)) {
        disconnect();
    } else if (const auto* refused = std::get_if<RefuseSubscription>(&action)) {
        refuse(*refused);
    } else {
        const auto& notice = std::get<Notice>(action);
        if (const auto* lost = std::get_if<Lost>(&notice)) interrupt_all(lost->error);
        on_notice_(notice);
    }
}

// A handler may end its own subscription.
void Client::deliver(Message message) {
    auto found = handlers_.find(message.subscription);
    if (found == handlers_.end()) return;
    std::shared_ptr<Handlers> handlers = found->second;
    handlers->on_message(std::move(message));
}

void Client::refuse(const RefuseSubscription& refused) {
    auto found = handlers_.find(refused.subscription);
    if (found == handlers_.end() || !found->second->on_interrupted) return;
    std::shared_ptr<Handlers> handlers = found->second;
    handlers->on_interrupted(refused.error);
}

// A handler may end subscriptions, its own or another.
void Client::interrupt_all(const base::Error& error) {
    std::vector<std::weak_ptr<Handlers>> all;
    for (const auto& [id, handlers] : handlers_)
        all.push_back(handlers);
    for (const auto& one : all)
        if (auto handlers = one.lock(); handlers && handlers->on_interrupted) handlers->on_interrupted(error);
}

void Client::connect(const ServerAddress& server) {
    link_ = std::make_shared<Link>(executor_, server, files_.tls);
    tasks_.spawn("a connection to a NATS server", serve(link_));
}

void Client::disconnect() {
    if (!link_) return;
    link_->connection.close();
    link_->output.ring();
    link_.reset();
    in_flight_ = 0;
    output_since_.reset();
    written_.cancel();
}

// The timer may be set for an earlier time than is needed, but never for a later one.
void Client::arm_timer() {
    auto next = session_.next_deadline();
    if (!next || has_ended_ || (armed_ && *armed_ <= *next)) return;
    armed_ = next;
    timer_.expires_at(io::ActiveClock::time_point(next->time_since_epoch()));
    timer_.async_wait([this](boost::system::error_code ec) {
        if (ec) return;
        armed_.reset();
        session_.time_passed(now());
        pump();
    });
}

asio::awaitable<void> Client::serve(std::shared_ptr<Link> link) {
    auto credentials = load_credentials(files_.credentials, std::chrono::system_clock::now());
    base::Result<void> connected;
    if (credentials.has_error())
        connected = credentials.error();
    else
        connected = co_await link->connection.connect();
    if (link != link_) co_return;
    if (connected.has_error()) {
        session_.failed(connected.error(), now());
        co_return pump();
    }
    session_.connected(std::move(*credentials), now());
    tasks_.spawn("writing to a NATS server", write(link));
    pump();
    co_await read(link);
}

asio::awaitable<void> Client::read(std::shared_ptr<Link> link) {
    std::vector<char> piece(piece_size);
    while (link == link_) {
        if (link->wants_tls) {
            co_await secure(link);
            continue;
        }
        auto size = co_await link->connection.read(asio::buffer(piece));
        if (link != link_) co_return;
        if (size.has_error())
            session_.lost(size.error(), now());
        else
            session_.received(std::string_view(piece.data(), *size), now());
        pump();
    }
}

asio::awaitable<void> Client::secure(std::shared_ptr<Link> link) {
    link->wants_tls = false;
    auto secured = co_await link->connection.secure();
    if (link != link_) co_return;
    if (secured.has_error())
        session_.failed(secured.error(), now());
    else
        session_.secured(now());
    pump();
}

// What was to be written before this process was suspended is not to arrive so late. While a write is under
// way, the deadlines of the connection decide.
bool Client::is_output_stale() const {
    return output_since_ && time_since_boot() - *output_since_ > write_patience_;
}

// The reader reports the end of the connection: it may find the server's last words before.
asio::awaitable<void> Client::write(std::shared_ptr<Link> link) {
    while (link == link_) {
        if (!session_.has_output()) {
            co_await link->output.wait();
            continue;
        }
        if (is_output_stale()) {
            session_.lost(error(Errc::disconnected, "this process was suspended for long"), now());
            co_return pump();
        }
        std::string bytes = session_.take_output();
        in_flight_ = bytes.size();
        auto written = co_await link->connection.write(std::move(bytes));
        if (link != link_ || written.has_error()) co_return;
        in_flight_ = 0;
        output_since_.reset();
        if (session_.has_output()) output_since_ = time_since_boot();
        written_.cancel();
    }
}

}  // namespace nats
