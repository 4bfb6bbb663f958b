#include "nats_engine/engine.hpp"

#include "base/text.hpp"
#include "io/internal_error.hpp"
#include "io/log.hpp"
#include "nats/api_error.hpp"
#include "nats/error.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <utility>

namespace nats_engine {

namespace asio = boost::asio;
using namespace std::chrono_literals;
using nats::ApiErrc;
using nats::Errc;

namespace {

constexpr std::size_t usual_max_payload = std::size_t{1} << 20;

// Looks for queues and for another store also if nothing was heard of either.
constexpr std::chrono::seconds between_looks{60};
// How long after a connection has begun the first look comes. If that was because a stream was deleted, the
// server may have told so before the stream was gone.
constexpr std::chrono::seconds first_look{1};
constexpr std::chrono::seconds longest_delay{30};

nats::Settings client_settings(const Settings& settings) {
    nats::Settings client;
    client.servers = settings.servers;
    client.name = base::concat("troupe ", settings.pool, ' ', settings.self.text());
    client.version = settings.version;
    // All that is under way for many agents.
    client.output_limit = std::size_t{64} << 20;
    return client;
}

}  // namespace

std::unique_ptr<edge_shell::Engine> make(asio::any_io_executor executor, Settings settings) {
    return std::make_unique<Engine>(std::move(executor), std::move(settings));
}

Engine::Engine(asio::any_io_executor executor, Settings settings)
    : executor_(executor),
      settings_(std::move(settings)),
      names_(settings_.pool),
      client_(executor, client_settings(settings_), settings_.files,
              [this](const nats::Notice& notice) { noticed(notice); }),
      jetstream_(client_, settings_.times.request),
      tasks_(executor, io::end_process),
      bell_(executor),
      max_text_bytes_(text_bytes(usual_max_payload)),
      pulls_(executor, client_, names_.queue_stream(), settings_.times.pull,
             {[this](edge::PullId pull, const edge::Queue& queue, nats::Message message) {
                  delivered(pull, queue, std::move(message));
              },
              [this](edge::PullId pull, const edge::Queue& queue, const base::Result<void>& result) {
                  pull_ended(pull, queue, result);
              }}) {}

Engine::~Engine() = default;

std::string Engine::name() const {
    std::string all;
    for (const nats::ServerAddress& server : settings_.servers) {
        if (!all.empty()) all += ',';
        all += base::concat(server.uses_tls ? "tls://" : "nats://", nats::address_text(server));
    }
    return all;
}

std::optional<std::chrono::microseconds> Engine::lag() const {
    return is_connected_ ? lag_.at(Lag::Time::clock::now()) : std::nullopt;
}

asio::awaitable<void> Engine::run(Callbacks callbacks) {
    callbacks_ = std::move(callbacks);
    subscribe_for_all_time();
    tasks_.spawn("the preparation of an engine", keep_prepared());
    std::exception_ptr cancelled;
    try {
        co_await client_.run();
    } catch (...) {
        cancelled = std::current_exception();
    }
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    is_over_ = true;
    is_connected_ = false;
    ++connection_;
    pulls_.clear();
    tasks_.cancel();
    co_await tasks_.join();
    if (cancelled) std::rethrow_exception(cancelled);
}

void Engine::noticed(const nats::Notice& notice) {
    if (const auto* ready = std::get_if<nats::Ready>(&notice)) {
        server_ = ready->server;
        return bell_.ring();
    }
    if (const auto* gone = std::get_if<nats::Lost>(&notice)) return lost(gone->error);
    if (const auto* failed = std::get_if<nats::Failed>(&notice)) return report(failed->error);
    if (const auto* refused = std::get_if<nats::Refused>(&notice)) complain(refused->error);
}

void Engine::lost(const base::Error& error) {
    bool was_connected = std::exchange(is_connected_, false);
    ++connection_;
    lag_.clear();
    pulls_.clear();
    failing_.clear();
    creating_.clear();
    looks_.clear();
    bell_.ring();
    if (!was_connected) return report(error);
    reported_.insert(error.message);
    callbacks_.on_disconnected(error);
}

// Servers that are tried in turn fail again and again, for few different reasons.
void Engine::report(const base::Error& error) {
    constexpr std::size_t most = 20;
    if (is_over_ || reported_.size() >= most || !reported_.insert(error.message).second) return;
    callbacks_.on_disconnected(error);
}

void Engine::tell_once(const std::string& key, const base::Error& error) {
    constexpr std::size_t most = 100;
    if (told_.size() < most && told_.insert(key).second) io::log::warn(error.message);
}

// The last word is a subject, which may be that of a single task.
void Engine::complain(const base::Error& error) {
    std::string_view text = error.message;
    std::size_t word = text.rfind(' ') + 1;
    tell_once(base::concat(text.substr(0, word), names_.kind_of(text.substr(word))), error);
}

asio::awaitable<void> Engine::keep_prepared() {
    std::chrono::seconds delay{1};
    std::chrono::seconds next_look = first_look;
    while (true) {
        auto connection = connection_;
        if (!client_.is_ready()) {
            co_await bell_.wait();
        } else if (is_connected_) {
            delay = 1s;
            co_await bell_.wait(std::exchange(next_look, between_looks));
            if (is_connected_) co_await look_again();
        } else {
            auto prepared = co_await prepare();
            if (connection != connection_ || is_over_) continue;
            if (prepared.has_value()) {
                connected();
                next_look = first_look;
                continue;
            }
            // A lost connection is noticed anyway.
            if (prepared.error().code != Errc::disconnected)
                report(base::with_context(base::concat("the engine at ", server_), prepared.error()));
            co_await bell_.wait(delay);
            delay = std::min(2 * delay, longest_delay);
        }
    }
}

asio::awaitable<base::Result<void>> Engine::prepare() {
    FoundStream queue{{}, nats_engine::queue_stream(names_, settings_.replicas)};
    FoundStream records{{}, nats_engine::record_stream(names_, settings_.replicas)};
    for (FoundStream* stream : {&records, &queue}) {
        auto found = co_await find_stream(stream->wanted);
        if (found.has_error()) co_return found.error();
        stream->info = std::move(*found);
    }
    if (auto problem = problem_of(queue, records)) co_return base::invalid(*problem);
    auto begun = co_await begin_versions(first_version(records.info));
    if (begun.has_error()) co_return begun.error();
    auto queues = co_await read_queues();
    if (queues.has_error()) co_return queues.error();
    co_await update_leases();
    std::size_t max_payload = client_.server_info().max_payload;
    std::size_t longest =
        std::min(longest_message(queue.info, max_payload), longest_message(records.info, max_payload));
    max_text_bytes_ = text_bytes(longest);
    store_ = store_id(queue.info, records.info);
    co_return base::Result<void>();
}

// Another edge may be creating it at the same time.
asio::awaitable<base::Result<nats::StreamInfo>> Engine::find_stream(const nats::StreamConfig& wanted) {
    auto found = co_await measured_info(wanted.name);
    if (found.has_value() || found.error().code != ApiErrc::stream_not_found) co_return found;
    auto created = co_await jetstream_.create_stream(wanted);
    if (created.has_value() || created.error().code != ApiErrc::stream_name_in_use) co_return created;
    auto of_other = co_await jetstream_.stream_info(wanted.name);
    co_return of_other;
}

// An edge without tasks makes such requests, too, so it knows the lag.
asio::awaitable<base::Result<nats::StreamInfo>> Engine::measured_info(std::string stream) {
    auto measurement = lag_.begin(Lag::Time::clock::now());
    auto info = co_await jetstream_.stream_info(stream);
    measured(measurement, info.has_error() ? info.error().code : boost::system::error_code());
    co_return info;
}

asio::awaitable<void> Engine::pause(std::chrono::milliseconds length) {
    asio::steady_timer timer(executor_, length);
    co_await timer.async_wait(asio::use_awaitable);
}

void Engine::connected() {
    is_connected_ = true;
    ++connection_;
    lag_.cut();
    reported_.clear();
    callbacks_.on_connected(store_);
    queues_changed();
}

// What cannot be read now is read the next time.
asio::awaitable<void> Engine::look_again() {
    auto connection = connection_;
    auto queue = co_await measured_info(names_.queue_stream());
    auto records = co_await jetstream_.stream_info(names_.record_stream());
    if (connection != connection_) co_return;
    for (const auto* stream : {&queue, &records})
        if (stream->has_error() && is_store_gone(stream->error())) co_return;
    if (queue.has_value() && records.has_value() && store_id(*queue, *records) != store_) {
        client_.reconnect(base::invalid("a stream of the pool was created anew"));
        co_return;
    }
    auto before = queues_;
    auto queues = co_await read_queues();
    if (connection == connection_ && queues.has_value() && queues_ != before) queues_changed();
}

}  // namespace nats_engine
