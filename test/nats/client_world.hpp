// A client that runs while a test's coroutine does, and what it has reported.
#pragma once

#include "io/bell.hpp"
#include "io/task_group.hpp"
#include "io_helper.hpp"
#include "nats/client.hpp"
#include "nats/error.hpp"

#include <functional>
#include <string>
#include <vector>

namespace test {

using namespace std::chrono_literals;

inline nats::Settings settings_for(std::string_view servers) {
    nats::Settings settings;
    settings.servers = *nats::parse_server_addresses(servers);
    settings.name = "test";
    settings.version = "1";
    return settings;
}

inline std::string text_of(const nats::Notice& notice) {
    if (const auto* lost = std::get_if<nats::Lost>(&notice)) return "lost: " + lost->error.message;
    if (const auto* failed = std::get_if<nats::Failed>(&notice)) return "failed: " + failed->error.message;
    if (const auto* refused = std::get_if<nats::Refused>(&notice))
        return "refused: " + refused->error.message;
    if (const auto* duck = std::get_if<nats::LameDuck>(&notice)) return "lame duck: " + duck->server;
    return "ready: " + std::get<nats::Ready>(notice).server;
}

class ClientWorld {
  public:
    using Body = std::function<asio::awaitable<void>(ClientWorld&)>;

    explicit ClientWorld(nats::Settings settings, nats::Client::Files files = {})
        : bell_(loop.get_executor()),
          client(loop.get_executor(), std::move(settings), std::move(files),
                 [this](const nats::Notice& notice) {
                     notices.push_back(text_of(notice));
                     bell_.ring();
                 }),
          group_(loop.get_executor(), [](const std::string& name, std::exception_ptr) { FAIL(name); }) {}

    // Runs the client, and beside it `body`, at whose end the client ends.
    void run(Body body) {
        group_.spawn("the client", client.run());
        std::exception_ptr failure;
        try {
            test::run(loop, body(*this));
        } catch (...) {
            failure = std::current_exception();
        }
        group_.cancel();
        test::run(loop, group_.join());
        if (failure) std::rethrow_exception(failure);
    }

    // The next notice that begins with this text; those before are passed over.
    asio::awaitable<std::string> notice(std::string begin) {
        while (true) {
            while (seen_ < notices.size())
                if (const std::string& text = notices[seen_++]; text.starts_with(begin)) co_return text;
            co_await bell_.wait();
        }
    }

    asio::io_context loop{1};

  private:
    io::Bell bell_;
    std::size_t seen_ = 0;

  public:
    std::vector<std::string> notices;
    nats::Client client;

  private:
    io::TaskGroup group_;
};

// Gathers messages, and waits for them.
class Inbox {
  public:
    explicit Inbox(ClientWorld& world) : bell_(world.loop.get_executor()) {}
    nats::Client::OnMessage handler() {
        return [this](nats::Message message) {
            messages.push_back(std::move(message));
            bell_.ring();
        };
    }
    asio::awaitable<void> wait_for(std::size_t count) {
        while (messages.size() < count)
            co_await bell_.wait();
    }
    std::vector<nats::Message> messages;

  private:
    io::Bell bell_;
};

}  // namespace test
