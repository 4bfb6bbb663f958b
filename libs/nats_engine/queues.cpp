#include "base/text.hpp"
#include "io/log.hpp"
#include "nats/error.hpp"
#include "nats_engine/engine.hpp"

#include <chrono>
#include <utility>

namespace nats_engine {

namespace asio = boost::asio;

namespace {

auto in_seconds(std::chrono::nanoseconds span) {
    return std::chrono::duration_cast<std::chrono::seconds>(span).count();
}

}  // namespace

// The server may have written the list before it created a queue for this edge, whose answer has come first.
asio::awaitable<base::Result<void>> Engine::read_queues() {
    created_queues_.clear();
    auto connection = connection_;
    auto consumers = co_await jetstream_.consumers(names_.queue_stream());
    if (consumers.has_error()) co_return consumers.error();
    if (connection != connection_) co_return base::Result<void>();
    take_queues(*consumers);
    queues_.insert(created_queues_.begin(), created_queues_.end());
    co_return base::Result<void>();
}

// Consumers that are not of this pool's edges are passed over.
void Engine::take_queues(const std::vector<nats::ConsumerInfo>& consumers) {
    queues_.clear();
    outdated_.clear();
    for (const nats::ConsumerInfo& info : consumers) {
        auto queue = parse_queue_description(info.config.description);
        if (!queue || info.config.name != consumer_name(*queue)) continue;
        queues_.emplace(*queue, info.config.name);
        if (info.config.ack_wait != settings_.times.lease) outdated_.push_back(info.config);
    }
}

// The edges of a pool have the same lease, but once it may have been another one. With that, tasks would only
// be delivered too early or too late.
asio::awaitable<void> Engine::update_leases() {
    auto outdated = std::exchange(outdated_, {});
    if (!outdated.empty())
        io::log::warn("the lease of the pool's tasks is changed from ", in_seconds(outdated[0].ack_wait),
                      " s to ", in_seconds(settings_.times.lease),
                      " s: all hosts of a pool need the same --lease-secs");
    for (nats::ConsumerConfig& config : outdated) {
        config.ack_wait = settings_.times.lease;
        auto updated = co_await jetstream_.create_consumer(names_.queue_stream(), config);
        if (updated.has_error()) tell_once("lease", updated.error());
    }
}

void Engine::queues_changed() {
    std::vector<edge::Queue> queues;
    for (const auto& [queue, name] : queues_)
        queues.push_back(queue);
    callbacks_.on_queues(std::move(queues));
}

void Engine::create_queue(const edge::Queue& queue, std::function<void(bool is_there)> done) {
    auto& waiting = creating_[queue];
    waiting.push_back(std::move(done));
    if (waiting.size() > 1) return;
    auto config = consumer(names_, queue, settings_.times.lease);
    call<nats::ConsumerInfo>(
        nats::create_consumer(names_.queue_stream(), config), nats::parse_consumer_info,
        [this, queue](const base::Result<nats::ConsumerInfo>& created) { queue_created(queue, created); });
}

void Engine::queue_created(const edge::Queue& queue, const base::Result<nats::ConsumerInfo>& created) {
    bool is_there = created.has_value();
    if (is_there) created_queues_.emplace(queue, created->config.name);
    if (is_there && queues_.emplace(queue, created->config.name).second) {
        announce_queue();
        queues_changed();
    } else if (!is_there && created.error().code != nats::Errc::permission) {
        tell_once("queue", base::with_context("cannot create a queue", created.error()));
    }
    auto waiting = creating_.extract(queue);
    if (waiting.empty()) return;
    for (const auto& done : waiting.mapped())
        done(is_there);
}

void Engine::look_at_queue(const edge::Queue& queue, std::function<void(bool has_nothing)> done) {
    constexpr std::chrono::seconds lasts{1};
    QueueLook& look = looks_[queue];
    if (look.seen && std::chrono::steady_clock::now() < *look.seen + lasts) return done(look.has_nothing);
    look.waiting.push_back(std::move(done));
    if (look.waiting.size() > 1) return;
    call<nats::ConsumerInfo>(nats::consumer_info(names_.queue_stream(), consumer_name(queue)),
                             nats::parse_consumer_info,
                             [this, queue](const base::Result<nats::ConsumerInfo>& info) {
                                 QueueLook& seen = looks_[queue];
                                 seen.seen = std::chrono::steady_clock::now();
                                 const bool has_nothing = info.has_value() && info->waiting_pulls > 0 &&
                                                          info->waiting_messages == 0;
                                 seen.has_nothing = has_nothing;
                                 for (const auto& waiting : std::exchange(seen.waiting, {}))
                                     waiting(has_nothing);
                             });
}

}  // namespace nats_engine
