#include "session_world.hpp"

#include <iterator>
#include <sstream>

namespace test {

namespace {

constexpr std::size_t limit = 1000;
constexpr std::size_t longest_overhead = 200;  // of one message

nats::Settings random_settings(unsigned seed) {
    auto of = settings(seed % 3 == 0 ? "tls://h1,tls://h2" : "nats://h1,nats://h2,nats://h3");
    of.seed = seed;
    of.output_limit = limit;
    return of;
}

std::vector<std::string> words(const std::string& line) {
    std::istringstream stream(line);
    return {std::istream_iterator<std::string>(stream), std::istream_iterator<std::string>()};
}

}  // namespace

World::World(unsigned seed) : random_(seed), harness_(random_settings(seed)) {
    harness_.session.start(harness_.now);
    carry_out();
}

void World::step() {
    switch (below(3)) {
        case 0:
            owner_acts();
            break;
        case 1:
            network_acts();
            break;
        default:
            server_acts();
            break;
    }
    carry_out();
    CHECK(harness_.session.waiting_bytes() <= 2 * limit + longest_overhead * (subscriptions_.size() + 3));
    auto next = harness_.session.next_deadline();
    REQUIRE(next);
    REQUIRE(*next > harness_.now - 1ms);
}

void World::owner_acts() {
    switch (below(6)) {
        case 0:
        case 1:
            return publish(false);
        case 2:
            return publish(true);
        case 3: {
            if (subscriptions_.size() > 5) return;
            std::string subject = "s" + std::to_string(below(3));
            subscriptions_.emplace(*harness_.session.subscribe(subject), subject);
            return;
        }
        case 4:
            if (!subscriptions_.empty() && one_in(2)) {
                harness_.session.unsubscribe(subscriptions_.begin()->first);
                subscriptions_.erase(subscriptions_.begin());
            } else if (!open_.empty()) {
                harness_.session.withdraw(*open_.begin());
                open_.erase(open_.begin());
            }
            return;
        default:
            open_.insert(harness_.session.flush(harness_.now + 20s));
            return;
    }
}

void World::publish(bool is_request) {
    std::string payload = std::to_string(++last_number_) + std::string(below(300), ' ');
    nats::Outgoing message{"p", payload};
    if (!is_request) return (void)harness_.session.publish(message);
    auto id = harness_.session.request(message, harness_.now + std::chrono::seconds(below(30)));
    if (id.has_value()) open_.insert(*id);
}

void World::network_acts() {
    if (is_asked_to_connect_) {
        if (one_in(3) && !is_benign_) {
            is_asked_to_connect_ = false;
            return harness_.session.failed(nats::error(nats::Errc::unreachable, "no"), harness_.now);
        }
        return connect();
    }
    if (is_asked_for_tls_ && connection_) {
        is_asked_for_tls_ = false;
        if (one_in(5) && !is_benign_)
            return harness_.session.failed(nats::error(nats::Errc::tls, "expired"), harness_.now);
        connection_->is_secure = true;
        return harness_.session.secured(harness_.now);
    }
    if (one_in(20) && !is_benign_) return lose();
    if (one_in(4)) return pass(std::chrono::milliseconds(below(one_in(10) ? 20'000 : 500)));
    read_output();
    if (connection_) deliver(below(connection_->to_client.size() + 1));
}

void World::connect() {
    is_asked_to_connect_ = false;
    connection_.emplace();
    connection_->uses_tls = asked_.uses_tls || one_in(5);
    connection_->to_client = "INFO {\"headers\":true,\"max_payload\":400,\"tls_required\":" +
                             std::string(connection_->uses_tls ? "true" : "false") +
                             ",\"connect_urls\":[\"h" + std::to_string(below(4)) + ":4222\"]}\r\n";
    harness_.session.connected({}, harness_.now);
}

void World::lose() {
    if (!connection_) return;
    harness_.session.lost(nats::error(nats::Errc::disconnected, "end"), harness_.now);
}

void World::pass(nats::Duration time) {
    harness_.now += time;
    harness_.session.time_passed(harness_.now);
}

void World::deliver(std::size_t bytes) {
    std::string part = connection_->to_client.substr(0, bytes);
    connection_->to_client.erase(0, bytes);
    if (!part.empty()) harness_.session.received(part, harness_.now);
}

void World::server_acts() {
    if (!connection_ || !connection_->is_logged_in) return;
    Connection& server = *connection_;
    if (!server.replies.empty()) {
        std::string reply = *server.replies.begin();
        server.replies.erase(reply);
        server.to_client += one_in(4) ? "HMSG " + reply + " 1 16 16\r\nNATS/1.0 503\r\n\r\n\r\n"
                                      : "MSG " + reply + " 1 2\r\nok\r\n";
        return;
    }
    if (!is_benign_) server_speaks(server);
}

void World::server_speaks(Connection& server) {
    static const char* const words[] = {"PING\r\n",
                                        "PONG\r\n",
                                        "+OK\r\n",
                                        "INFO {\"headers\":true,\"max_payload\":400,\"ldm\":true}\r\n",
                                        "-ERR 'Permissions Violation for Publish to \"p\"'\r\n",
                                        "-ERR 'Permissions Violation for Subscription to \"s1\"'\r\n",
                                        "-ERR 'Slow Consumer'\r\n",
                                        "-ERR 'Invalid Subject'\r\n",
                                        "MSG s1 1 1\r\nx\r\n",
                                        "INFO {}\r\n",
                                        "nonsense\r\n"};
    if (one_in(3)) {
        server.to_client += words[below(std::size(words) - (one_in(10) ? 0 : 1))];
    } else if (!server.subscriptions.empty()) {
        auto& [id, subject] = *server.subscriptions.begin();
        server.to_client += "MSG " + subject + " " + id + " 1\r\nx\r\n";
    }
}

void World::carry_out() {
    for (auto actions = harness_.session.take_actions(); !actions.empty();
         actions = harness_.session.take_actions())
        for (const nats::Action& action : actions)
            carry_out(action);
    for (nats::RequestId request : ended_)
        REQUIRE(!open_.contains(request));
}

void World::carry_out(const nats::Action& action) {
    if (const auto* ask = std::get_if<nats::Connect>(&action)) {
        REQUIRE(!connection_);
        REQUIRE(!is_asked_to_connect_);
        is_asked_to_connect_ = true;
        asked_ = ask->server;
    } else if (std::holds_alternative<nats::StartTls>(action)) {
        REQUIRE(connection_);
        REQUIRE(connection_->uses_tls);
        is_asked_for_tls_ = true;
    } else if (std::holds_alternative<nats::Disconnect>(action)) {
        if (connection_) ended_ = std::move(connection_->requests);
        connection_.reset();
        is_asked_to_connect_ = is_asked_for_tls_ = false;
    } else if (const auto* deliver = std::get_if<nats::Deliver>(&action)) {
        // It may have been ended while the message was on its way to its handler.
        REQUIRE(deliver->message.subscription > 1);
    } else if (const auto* reply = std::get_if<nats::Reply>(&action)) {
        ended(*reply);
    }
}

void World::ended(const nats::Reply& reply) {
    INFO("request " << reply.request.value);
    REQUIRE(open_.erase(reply.request) == 1);
}

// The server reads what the client has sent so far.
void World::read_output() {
    std::string bytes = harness_.session.take_output();
    if (bytes.empty()) return;
    REQUIRE(connection_);
    REQUIRE((!connection_->uses_tls || connection_->is_secure));
    connection_->from_client += bytes;
    while (!connection_->from_client.empty())
        read_command(connection_->from_client);
}

void World::read_command(std::string& bytes) {
    std::size_t end = bytes.find("\r\n");
    REQUIRE(end != std::string::npos);
    std::string line = bytes.substr(0, end);
    bytes.erase(0, end + 2);
    Connection& server = *connection_;
    if (line.starts_with("CONNECT ")) {
        REQUIRE(!server.is_logged_in);
        server.is_logged_in = true;
        return;
    }
    if (line == "PONG") return;
    REQUIRE(server.is_logged_in);
    std::vector<std::string> parts = words(line);
    if (line == "PING") {
        server.to_client += "PONG\r\n";
    } else if (parts[0] == "SUB") {
        REQUIRE(server.subscriptions.emplace(parts[2], parts[1]).second);
    } else if (parts[0] == "UNSUB") {
        REQUIRE(server.subscriptions.erase(parts[1]) == 1);
    } else {
        REQUIRE(parts[0] == "PUB");
        std::size_t size = std::stoul(parts.back());
        REQUIRE(bytes.substr(size, 2) == "\r\n");
        published(parts.size() == 4 ? parts[2] : "", bytes.substr(0, size));
        bytes.erase(0, size + 2);
    }
}

// Nothing comes twice, and on one connection all comes in order.
void World::published(const std::string& reply, const std::string& payload) {
    auto number = static_cast<unsigned>(std::stoul(payload));
    REQUIRE(seen_.insert(number).second);
    REQUIRE(number > connection_->last_seen);
    connection_->last_seen = number;
    if (reply.empty()) return;
    connection_->replies.insert(reply);
    connection_->requests.insert({std::stoul(reply.substr(reply.rfind('.') + 1))});
}

void World::end() {
    is_benign_ = true;
    for (int i = 0; i < 1000 && !(harness_.session.is_ready() && open_.empty()); ++i) {
        network_acts();
        carry_out();
        server_acts();
        if (one_in(3)) pass(100ms);
        carry_out();
    }
    REQUIRE(harness_.session.is_ready());
    REQUIRE(open_.empty());
    REQUIRE(harness_.session.open_requests() == 0);
    read_output();
    std::map<std::string, std::string> expected{{"1", "_INBOX.T.*"}};
    for (const auto& [id, subject] : subscriptions_)
        expected.emplace(std::to_string(id), subject);
    CHECK(connection_->subscriptions == expected);
    CHECK(harness_.session.waiting_bytes() == 0);
    open_.clear();
    harness_.session.stop();
    carry_out();
    CHECK(!connection_);
}

}  // namespace test
