// A client's side of NATS, over all its connections: which server to connect to and when, the login, the
// pings that show whether a server is still there, subscriptions that are made again after a reconnection,
// requests and their replies, and what waits to be sent. Bytes and times come in, bytes and actions go out.
// Pure: no clock, no sockets, no files. The shell is nats/client.
//
// What was published is sent at most once: what the connection has not carried when it is lost, is lost as
// well. A request fails then, and its caller knows that the outcome is unknown. What is published while
// there is no connection waits for the next one, within the limit.
#pragma once

#include "base/error.hpp"
#include "base/id.hpp"
#include "nats/commands.hpp"
#include "nats/complaint.hpp"
#include "nats/message.hpp"
#include "nats/parser.hpp"
#include "nats/server_info.hpp"
#include "nats/server_list.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace nats {

using Time = std::chrono::steady_clock::time_point;
using Duration = std::chrono::steady_clock::duration;
using RequestId = base::StrongId<struct NatsRequestTag>;

struct Settings {
    std::vector<ServerAddress> servers;  // at least one
    std::string name;                    // of this client, for the server's operator
    std::string version;                 // of this program
    std::string inbox_prefix = "_INBOX";
    std::string inbox_token;                              // without dots; nobody else may have or guess it
    std::uint32_t seed = 1;                               // for the delays
    Duration connect_patience = std::chrono::seconds(5);  // until a connection is ready
    Duration ping_after = std::chrono::seconds(10);       // of silence
    Duration ping_patience = std::chrono::seconds(5);     // then it is lost
    // What is published is given up with its connection if this process was suspended for so long before it
    // could begin to write.
    Duration write_patience = std::chrono::seconds(10);
    std::size_t output_limit = std::size_t{8} << 20;  // bytes that wait to be sent
};

// Gives the login for a server's nonce.
using Authenticate = std::function<base::Result<Login>(std::string_view nonce)>;

// ---- actions: what the shell is to do, in this order ----

// Connect over TCP. To be followed by connected() or failed().
struct Connect {
    ServerAddress server;
};
// Begin TLS on the connection. To be followed by secured() or failed().
struct StartTls {
    ServerAddress server;
};
// Close the connection, or give the attempt up. No event follows.
struct Disconnect {};
// Give the message to its subscription.
struct Deliver {
    Message message;
};
// The subscription gets nothing on this connection.
struct RefuseSubscription {
    SubscriptionId subscription;
    base::Error error;
};
// Give the reply to the request's caller. A flush gets an empty message.
struct Reply {
    RequestId request;
    base::Result<Message> message;
};

// ---- actions: what to tell people ----

struct Ready {
    std::string server;  // its address
};
struct Lost {
    std::string server;
    base::Error error;
};
// An attempt to connect. There will be others.
struct Failed {
    std::string server;
    base::Error error;
};
// The server shuts down soon. Others are tried first when it closes the connection.
struct LameDuck {
    std::string server;
};
// The server has refused something that was published, or that is of no request or subscription. The
// connection goes on.
struct Refused {
    base::Error error;
    std::string subject = {};  // that the user has no permission for; otherwise empty
};
using Notice = std::variant<Ready, Lost, Failed, LameDuck, Refused>;

using Action = std::variant<Connect, StartTls, Disconnect, Deliver, RefuseSubscription, Reply, Notice>;

// `now` must not decrease.
class Session {
  public:
    explicit Session(Settings settings);

    // ---- events ----
    void start(Time now);
    void connected(Authenticate authenticate, Time now);
    void secured(Time now);
    // The connection could not be made.
    void failed(base::Error error, Time now);
    void received(std::string_view bytes, Time now);
    // The connection has ended.
    void lost(base::Error error, Time now);
    // next_deadline() is due.
    void time_passed(Time now);
    // The connection is not to be used any more: the next one is made. No effect without a connection.
    void give_up(base::Error error, Time now);
    // Ends the session for good. All requests fail, also those that come later.
    void stop();

    // ---- commands of the owner. An error means that nothing has happened ----
    base::Result<void> publish(const Outgoing& message);
    // One Reply follows, unless the request is withdrawn. `message` has no reply of its own.
    base::Result<RequestId> request(const Outgoing& message, Time deadline);
    // A Reply follows when the server has taken all that was published before.
    RequestId flush(Time deadline);
    void withdraw(RequestId id);
    base::Result<SubscriptionId> subscribe(std::string subject, std::string queue = {});
    void unsubscribe(SubscriptionId id);
    // A subject for replies that no other has.
    std::string new_inbox();

    // ---- for the shell ----
    std::vector<Action> take_actions() { return std::exchange(actions_, {}); }
    bool has_output() const { return !output_.empty(); }
    std::string take_output() { return std::exchange(output_, {}); }
    std::optional<Time> next_deadline() const;

    // ---- what is known ----
    bool is_ready() const { return phase_ == Phase::ready; }
    // What the current server, or the last one that was, has told of itself.
    const ServerInfo& server_info() const { return info_; }
    std::size_t waiting_bytes() const { return output_.size() + kept_bytes_; }
    std::size_t open_requests() const { return requests_.size(); }

  private:
    enum class Phase { idle, waiting, connecting, greeting, securing, login, ready, stopped };
    struct Subscription {
        std::string subject;
        std::string queue;
    };
    struct Request {
        std::string subject;  // empty: a flush
        Time deadline;
        bool is_sent = false;
    };
    // What is kept to be sent while there is no connection.
    struct Kept {
        std::string bytes;
        std::size_t size;   // as servers limit it
        RequestId request;  // 0: none
    };
    static constexpr SubscriptionId inbox_subscription = 1;

    // session.cpp
    void act(Action action) { actions_.push_back(std::move(action)); }
    void try_next(Time now);
    void attempt(Time now);
    void end_connection();
    void connection_failed(base::Error error, Time now);
    void handle(Operation operation, Time now);
    void greeted(const Info& info, Time now);
    void log_in(Time now);
    void become_ready(Time now);
    void pinged(Time now);
    void answered_ping(Time now);
    void informed(const Info& info);
    void complained(const Complaint& complaint, Time now);
    void check_silence(Time now);
    bool is_connected() const { return phase_ >= Phase::greeting && phase_ <= Phase::ready; }
    std::string server() const { return address_text(servers_.current()); }

    // session_messages.cpp
    base::Result<void> check(const Outgoing& message) const;
    void send_or_keep(const Outgoing& message, RequestId request);
    void send_kept();
    void arrived(Message message);
    void replied(Message message);
    void finish(RequestId id, base::Result<Message> message);
    void finish_sent(const base::Error& error, bool with_flushes = true);
    void drop_kept(RequestId request);
    void refused_permission(const ReadComplaint& complaint);
    void refused_subscription(const ReadComplaint& complaint);
    std::optional<RequestId> request_of_reply(std::string_view subject) const;

    Settings settings_;
    std::string inbox_;  // the subjects of replies, without the last word
    ServerList servers_;
    Phase phase_ = Phase::idle;
    Time phase_end_{};  // of waiting, and of an attempt
    Time ready_since_{};
    Time last_heard_{};
    std::optional<Time> ping_sent_;                 // since then nothing was heard
    std::deque<std::optional<RequestId>> pings_{};  // whose answers are due; none: of no request
    Parser parser_;
    ServerInfo info_;
    Authenticate authenticate_;
    bool has_login_ = false;
    std::optional<base::Error> inbox_refusal_;  // on this connection
    std::optional<base::Error> last_words_;     // why the server ends the connection

    std::map<SubscriptionId, Subscription> subscriptions_;
    SubscriptionId last_subscription_ = inbox_subscription;
    std::uint64_t last_inbox_ = 0;
    std::map<RequestId, Request> requests_;
    std::set<std::pair<Time, RequestId>> deadlines_;
    RequestId last_request_{};
    std::deque<Kept> kept_;
    std::size_t kept_bytes_ = 0;
    std::string output_;
    std::vector<Action> actions_;
};

}  // namespace nats
