#include "engine_world.hpp"

namespace test {

using edge_shell::Engine;

Engine::Callbacks Host::callbacks() {
    Engine::Callbacks callbacks;
    auto keep = [this](auto& list) {
        return [this, &list](auto value) {
            list.push_back(std::move(value));
            reported();
        };
    };
    callbacks.on_connected = keep(stores);
    callbacks.on_disconnected = [this](const base::Error& why) {
        losses.push_back(why.message);
        reported();
    };
    callbacks.on_queues = keep(queues);
    callbacks.on_delivered = keep(deliveries);
    callbacks.on_pull_ended = keep(ended);
    callbacks.on_asked = keep(questions);
    callbacks.on_sought = keep(seekings);
    callbacks.on_asked_all = [] { return std::string("h1"); };
    callbacks.on_check = keep(checks);
    callbacks.on_noticed = [this](const edge::TaskId& task, const edge::Record& record, std::string text) {
        notices.push_back({task, record, std::move(text)});
        reported();
    };
    callbacks.on_told = keep(told);
    return callbacks;
}

asio::awaitable<edge::Written> Host::write(std::string task, edge::Version expected, const edge::Entry& entry,
                                           std::string text) {
    std::optional<edge::Written> result;
    edge::Write call{{++last_}, task, expected, entry};
    engine->write(call, text, [&](const edge::Written& written) {
        result = written;
        reported();
    });
    CHECK(!result);  // not before the call has returned
    co_await wait_for(result);
    CHECK(result->request == call.request);
    CHECK(result->task == call.task);
    co_return *result;
}

asio::awaitable<Host::Found> Host::look_up(std::string task, bool with_queue, const edge::Queue& queue) {
    std::optional<Found> result;
    edge::LookUp call{{++last_}, task, with_queue};
    engine->look_up(call, queue, [&](const edge::LookedUp& found, std::string text) {
        CHECK(found.request == call.request);
        CHECK(found.task == call.task);
        result = Found{};
        if (found.found) result = Found{true, found.found->record, found.found->is_queued, std::move(text)};
        reported();
    });
    CHECK(!result);
    co_await wait_for(result);
    co_return *result;
}

asio::awaitable<std::optional<bool>> Host::is_current(std::string task, edge::Delivery delivery) {
    std::optional<edge::LookedUp> result;
    edge::LookUp call{{++last_}, task, false, std::move(delivery)};
    engine->look_up(call, {}, [&](edge::LookedUp found, const std::string&) {
        CHECK(found.request == call.request);
        result = std::move(found);
        reported();
    });
    co_await wait_for(result);
    co_return result->found ? result->found->is_current : std::nullopt;
}

asio::awaitable<edge::OwnerReply> Host::ask(std::string owner, std::string task,
                                            std::optional<edge::Delivery> delivery) {
    std::optional<edge::OwnerReply> result;
    edge::Ask call{{++last_}, task, {owner, {1, 1}}, delivery};
    engine->ask(call, [&](const edge::OwnerReplied& replied) {
        CHECK(replied.request == call.request);
        CHECK(replied.task == call.task);
        result = replied.reply;
        reported();
    });
    CHECK(!result);
    co_await wait_for(result);
    co_return *result;
}

asio::awaitable<edge::submitter_side::PublishResult> Host::publish(std::string task, std::string body,
                                                                   const edge::Queue& queue) {
    std::optional<edge::submitter_side::PublishResult> result;
    edge::submitter_side::Publish call{{++last_}, task, queue};
    engine->publish(call, body, [&](const edge::submitter_side::Published& published, std::string why) {
        CHECK(published.request == call.request);
        CHECK(published.task == call.task);
        result = published.result;
        problem = std::move(why);
        reported();
    });
    CHECK(!result);
    co_await wait_for(result);
    co_return *result;
}

asio::awaitable<bool> Host::remove(std::string task, const edge::Queue& queue) {
    std::optional<bool> result;
    edge::submitter_side::Remove call{{++last_}, task, queue};
    engine->remove(call, [&](const edge::submitter_side::Removed& removed) {
        CHECK(removed.request == call.request);
        result = removed.is_done;
        reported();
    });
    CHECK(!result);
    co_await wait_for(result);
    co_return *result;
}

asio::awaitable<bool> Host::purge(std::string task, edge::Version version) {
    std::optional<bool> result;
    edge::submitter_side::Purge call{{++last_}, task, version};
    engine->purge(call, [&](const edge::submitter_side::Removed& removed) {
        CHECK(removed.request == call.request);
        result = removed.is_done;
        reported();
    });
    CHECK(!result);
    co_await wait_for(result);
    co_return *result;
}

edge::PullId Host::pull(std::size_t count, bool waits, const edge::Queue& queue) {
    edge::PullId id{++last_};
    engine->pull({id, queue, count, waits});
    return id;
}

asio::awaitable<Engine::Delivered> Host::take(const edge::Queue& queue) {
    while (taken_ == deliveries.size()) {
        edge::PullId id = pull(1, true, queue);
        while (taken_ == deliveries.size() && !has_ended(id))
            co_await bell_.wait();
    }
    co_return deliveries[taken_++];
}

void EngineWorld::run(asio::awaitable<void> body) {
    std::exception_ptr failure;
    try {
        test::run(loop, std::move(body));
    } catch (...) {
        failure = std::current_exception();
    }
    group_.cancel();
    test::run(loop, group_.join());
    if (failure) std::rethrow_exception(failure);
}

}  // namespace test
