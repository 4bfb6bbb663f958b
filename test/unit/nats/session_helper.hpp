// A session with a clock of its own, and what a server would say to it.
#pragma once

#include "nats/error.hpp"
#include "nats/session.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace test {

using namespace std::chrono_literals;

inline nats::Settings settings(std::string_view servers = "nats://h1") {
    nats::Settings settings;
    settings.servers = *nats::parse_server_addresses(servers);
    settings.name = "test";
    settings.version = "1";
    settings.inbox_token = "T";
    settings.output_limit = 1000;
    return settings;
}

inline const std::string plain_info =
    "INFO {\"server_name\":\"n1\",\"version\":\"2.9.10\",\"headers\":true,\"max_payload\":500}\r\n";

// The texts of a session's actions, one for each.
inline std::string text_of(const nats::Action& action) {
    using namespace nats;
    if (const auto* connect = std::get_if<Connect>(&action))
        return "connect " + address_text(connect->server);
    if (const auto* tls = std::get_if<StartTls>(&action)) return "tls " + tls->server.certificate_name;
    if (std::holds_alternative<Disconnect>(action)) return "disconnect";
    if (const auto* deliver = std::get_if<Deliver>(&action))
        return "deliver " + std::to_string(deliver->message.subscription) + " " + deliver->message.payload;
    if (const auto* refuse = std::get_if<RefuseSubscription>(&action))
        return "refuse " + std::to_string(refuse->subscription) + ": " + refuse->error.message;
    if (const auto* reply = std::get_if<Reply>(&action))
        return "reply " + std::to_string(reply->request.value) + ": " +
               (reply->message.has_value() ? reply->message->payload : reply->message.error().message);
    const auto& notice = std::get<Notice>(action);
    if (const auto* ready = std::get_if<Ready>(&notice)) return "ready " + ready->server;
    if (const auto* lost = std::get_if<Lost>(&notice)) return "lost: " + lost->error.message;
    if (const auto* failed = std::get_if<Failed>(&notice)) return "failed: " + failed->error.message;
    if (const auto* duck = std::get_if<LameDuck>(&notice)) return "lame duck " + duck->server;
    return "refused: " + std::get<Refused>(notice).error.message;
}

using Texts = std::vector<std::string>;

class Harness {
  public:
    explicit Harness(nats::Settings of = settings()) : session(std::move(of)) {}

    Texts actions() {
        Texts texts;
        taken = session.take_actions();
        for (const nats::Action& action : taken)
            texts.push_back(text_of(action));
        return texts;
    }
    std::string output() { return session.take_output(); }

    Texts hear(std::string_view bytes) {
        session.received(bytes, now);
        return actions();
    }
    // To the next deadline.
    Texts wait() {
        auto next = session.next_deadline();
        REQUIRE(next);
        REQUIRE(*next >= now);
        now = *next;
        session.time_passed(now);
        return actions();
    }
    Texts pass(nats::Duration time) {
        now += time;
        session.time_passed(now);
        return actions();
    }
    // Until it is logged in: without the actions and the output of that.
    void get_ready() {
        session.start(now);
        connect();
    }
    // Once Connect is the last action.
    void connect(const std::string& info = plain_info) {
        session.connected({}, now);
        hear(info + "PONG\r\n");
        REQUIRE(session.is_ready());
        first_output = output();
        actions();
    }
    Texts lose(std::string reason = "end of stream") {
        session.lost(nats::error(nats::Errc::disconnected, std::move(reason)), now);
        return actions();
    }

    nats::Session session;
    nats::Time now{1000s};
    std::vector<nats::Action> taken;
    std::string first_output;  // of the connection
};

}  // namespace test
