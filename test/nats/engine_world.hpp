// Engines of a pool that run while a test's coroutine does, what they have reported, and an administrator of
// the server.
#pragma once

#include "client_world.hpp"
#include "nats/jetstream.hpp"
#include "nats_engine/nats_engine.hpp"
#include "nats_server.hpp"

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace test {

inline const std::string with_store = "jetstream { store_dir: \"%/js\" }\n";

inline nats_engine::Settings engine_settings(const NatsServer& server, std::string self = "h1") {
    nats_engine::Settings settings;
    settings.pool = "p";
    settings.self = std::move(self);
    settings.servers = *nats::parse_server_addresses(server.address());
    settings.times.request = patience;  // no verdict depends on how fast the server is
    settings.times.ask = patience;
    settings.version = "1";
    return settings;
}

inline edge::Queue queue_of(std::vector<std::string> labels = {}, std::int32_t priority = 0) {
    return {*base::Labels::of(std::move(labels)), priority};
}

inline edge::Entry claim_of(const std::string& edge, std::uint64_t number = 1) {
    edge::Author author{edge, {1, number}};
    return {edge::EntryKind::claimed, author, author};
}

inline edge::Entry outcome_of(const std::string& edge) {
    return {edge::EntryKind::outcome, {edge, {1, 1}}, std::nullopt, {}, edge::Outcome::processed};
}

// An engine, and what it has reported.
class Host {
  public:
    struct Notice {
        edge::TaskId task;
        edge::Record record;
        std::string text;
    };
    struct Found {
        bool is_known = false;
        edge::Record record{};
        bool is_queued = false;
        std::string text{};
    };

    Host(asio::io_context& loop, io::Bell& bell, nats_engine::Settings settings)
        : bell_(bell), engine(nats_engine::make(loop.get_executor(), std::move(settings))) {}

    edge_shell::Engine::Callbacks callbacks();

    // Until `condition` is true, after something was reported to any host.
    asio::awaitable<void> until(std::function<bool()> condition) {
        while (!condition())
            co_await bell_.wait();
    }
    // Until it has been connected so often.
    asio::awaitable<void> connected(std::size_t times = 1) {
        co_await until([this, times] { return stores.size() >= times; });
    }

    // The calls, with their results.
    asio::awaitable<edge::Written> write(std::string task, edge::Version expected, const edge::Entry& entry,
                                         std::string text = {});
    asio::awaitable<Found> look_up(std::string task, bool with_queue = false,
                                   const edge::Queue& queue = queue_of());
    // Whether its queue holds what was delivered.
    asio::awaitable<std::optional<bool>> is_current(std::string task, edge::Delivery delivery);
    asio::awaitable<edge::OwnerReply> ask(std::string owner, std::string task,
                                          std::optional<edge::Delivery> delivery = {});
    asio::awaitable<edge::submitter_side::PublishResult> publish(std::string task, std::string body = "x",
                                                                 const edge::Queue& queue = queue_of());
    asio::awaitable<bool> remove(std::string task, const edge::Queue& queue = queue_of());
    asio::awaitable<bool> purge(std::string task, edge::Version version);
    // Returns the new pull.
    edge::PullId pull(std::size_t count, bool waits, const edge::Queue& queue = queue_of());
    // The next delivery that was not taken yet; pulls for it.
    asio::awaitable<edge_shell::Engine::Delivered> take(const edge::Queue& queue = queue_of());
    bool has_ended(edge::PullId pull) const { return std::ranges::count(ended, pull) > 0; }

  private:
    template<class T>
    asio::awaitable<void> wait_for(const std::optional<T>& result) {
        while (!result)
            co_await bell_.wait();
    }
    void reported() { bell_.ring(); }

    io::Bell& bell_;
    std::uint64_t last_ = 0;
    std::size_t taken_ = 0;

  public:
    std::unique_ptr<edge_shell::Engine> engine;
    std::vector<edge::StoreId> stores;  // of on_connected
    std::vector<std::string> losses;    // of on_disconnected
    std::vector<std::vector<edge::Queue>> queues;
    std::vector<edge_shell::Engine::Delivered> deliveries;
    std::vector<edge::PullId> ended;
    std::vector<edge_shell::Engine::Question> questions;
    std::vector<edge_shell::Engine::Seeking> seekings;
    std::vector<edge::TaskId> checks;
    std::vector<Notice> notices;
    std::vector<std::string> told;
    std::string problem;  // of the last publication
};

class EngineWorld {
  public:
    EngineWorld()
        : bell_(loop.get_executor()),
          group_(loop.get_executor(), [](const std::string& name, std::exception_ptr) { FAIL(name); }) {}

    Host& add(nats_engine::Settings settings) {
        Host& host = *hosts_.emplace_back(std::make_unique<Host>(loop, bell_, std::move(settings)));
        group_.spawn("an engine", host.engine->run(host.callbacks()));
        return host;
    }
    // A client of the server beside the engines.
    nats::Client& add_client(const NatsServer& server, nats::Client::Files files = {}) {
        nats::Client& client = *clients_.emplace_back(
            std::make_unique<nats::Client>(loop.get_executor(), settings_for(server.address()),
                                           std::move(files), [](const nats::Notice&) {}));
        group_.spawn("a client", client.run());
        return client;
    }
    // Runs `body`, at whose end everything ends.
    void run(asio::awaitable<void> body);
    // Ends all engines before that.
    asio::awaitable<void> stop() {
        group_.cancel();
        co_await group_.join();
    }

    asio::io_context loop{1};

  private:
    io::Bell bell_;
    std::deque<std::unique_ptr<Host>> hosts_;
    std::deque<std::unique_ptr<nats::Client>> clients_;
    io::TaskGroup group_;
};

}  // namespace test
