// Servers, a network and an owner for one session, which all do what they like, and the rules that hold
// anyway.
#pragma once

#include "session_helper.hpp"

#include <map>
#include <random>
#include <set>
#include <string>

namespace test {

// One connection, as its server sees it.
struct Connection {
    bool uses_tls = false;
    bool is_secure = false;
    bool is_logged_in = false;
    std::string to_client;
    std::string from_client;
    std::map<std::string, std::string> subscriptions;  // by id
    std::set<std::string> replies;                     // that are awaited
    std::set<nats::RequestId> requests;                // that it has got
    unsigned last_seen = 0;                            // of the numbers of messages
};

class World {
  public:
    explicit World(unsigned seed);

    // Something happens.
    void step();
    // From now on the server is there, and answers; then everything ends.
    void end();

  private:
    std::size_t below(std::size_t limit) { return random_() % limit; }
    bool one_in(std::size_t n) { return below(n) == 0; }

    void owner_acts();
    void publish(bool is_request);
    void network_acts();
    void server_acts();
    void server_speaks(Connection& server);
    void deliver(std::size_t bytes);
    void connect();
    void lose();
    void pass(nats::Duration time);

    void carry_out();
    void carry_out(const nats::Action& action);
    void ended(const nats::Reply& reply);
    void read_output();
    void read_command(std::string& bytes);
    void published(const std::string& reply, const std::string& payload);

    std::mt19937 random_;
    Harness harness_;
    bool is_asked_to_connect_ = false;
    bool is_asked_for_tls_ = false;
    std::optional<Connection> connection_;
    std::set<nats::RequestId> ended_;  // those of a connection that was lost
    nats::ServerAddress asked_;
    std::set<nats::RequestId> open_;
    std::map<nats::SubscriptionId, std::string> subscriptions_;
    std::set<unsigned> seen_;  // numbers of messages that a server has got
    unsigned last_number_ = 0;
    bool is_benign_ = false;
};

}  // namespace test
