// A client of NATS servers: it keeps one connection, to one of several servers, and makes another when that
// is lost. The shell around nats/session, which decides everything: it reads, writes and measures time.
// Writes what has gathered since the last write, all at once.
#pragma once

#include "base/error.hpp"
#include "io/active_timer.hpp"
#include "io/task_group.hpp"
#include "nats/credentials.hpp"
#include "nats/session.hpp"
#include "tls/client.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>

namespace nats {

class Subscription;

// All calls from the executor's thread.
class Client {
  public:
    // Files are read anew for each connection, so that new ones can take their place.
    struct Files {
        CredentialFiles credentials;
        tls::ClientFiles tls;
    };
    // Called from the event loop, and must return quickly. May call the client.
    using OnNotice = std::function<void(const Notice&)>;
    using OnMessage = std::function<void(Message)>;
    using OnReply = std::function<void(base::Result<Message>)>;
    using OnInterrupted = std::function<void(const base::Error&)>;

    // `settings.inbox_token` and `settings.seed` are set by the client.
    Client(boost::asio::any_io_executor executor, Settings settings, Files files, OnNotice on_notice);
    ~Client();
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;

    // Connects, and stays connected until a terminal cancellation, after which it throws operation_aborted;
    // then all requests have failed. Once only; what else waits for this client must have ended before it is
    // destroyed.
    boost::asio::awaitable<void> run();

    // Takes the message, to be sent now or with the next connection; an error means that it is not taken.
    // Sent at most once. `Errc::buffer_full`: wait for drained().
    base::Result<void> publish(const Outgoing& message);
    // Returns when at most so many bytes wait to be sent, or when run() has ended.
    boost::asio::awaitable<void> drained(std::size_t bytes);

    // The reply. `message` is taken before this returns. After Errc::disconnected and timed_out, it is
    // unknown whether anybody has got it.
    boost::asio::awaitable<base::Result<Message>> request(const Outgoing& message, Duration timeout);
    // Makes a request without a coroutine. Without an error, `on_reply` is taken, and called once, later.
    base::Result<void> request(const Outgoing& message, Duration timeout, OnReply& on_reply);
    // Returns when the server has taken all that was published before.
    boost::asio::awaitable<base::Result<void>> flush(Duration timeout);

    // Gets messages for as long as the subscription exists, over all connections. The client must outlive it.
    // `on_interrupted`: the connection was lost (Errc::disconnected), or the user may not subscribe
    // (Errc::permission). The next connection has the subscription again.
    base::Result<Subscription> subscribe(std::string subject, OnMessage on_message,
                                         OnInterrupted on_interrupted = {}, std::string queue = {});
    // Gives the connection up, for a reason that the owner knows, and makes another one. What was not sent is
    // lost, and what was not received, too. No effect without a connection.
    void reconnect(base::Error reason);
    std::string new_inbox() { return session_.new_inbox(); }

    bool is_ready() const { return session_.is_ready(); }
    const ServerInfo& server_info() const { return session_.server_info(); }
    std::size_t waiting_bytes() const { return session_.waiting_bytes() + in_flight_; }

  private:
    friend class Subscription;
    struct Link;
    struct Waiter;
    struct Handlers {
        OnMessage on_message;
        OnInterrupted on_interrupted;
    };

    static Time now();
    void pump();
    void perform(Action& action);
    void deliver(Message message);
    void refuse(const RefuseSubscription& refused);
    void interrupt_all(const base::Error& error);
    void connect(const ServerAddress& server);
    void disconnect();
    void arm_timer();
    boost::asio::awaitable<void> serve(std::shared_ptr<Link> link);
    boost::asio::awaitable<void> read(std::shared_ptr<Link> link);
    boost::asio::awaitable<void> secure(std::shared_ptr<Link> link);
    boost::asio::awaitable<void> write(std::shared_ptr<Link> link);
    std::shared_ptr<Waiter> wait_for(RequestId request);
    bool is_output_stale() const;
    boost::asio::awaitable<base::Result<Message>> reply_to(RequestId request, std::shared_ptr<Waiter> waiter);
    boost::asio::awaitable<base::Result<void>> flushed(RequestId request, std::shared_ptr<Waiter> waiter);
    void unsubscribe(SubscriptionId subscription);

    boost::asio::any_io_executor executor_;
    Duration write_patience_;
    Session session_;
    Files files_;
    OnNotice on_notice_;
    bool is_pumping_ = false;
    bool has_ended_ = false;
    std::shared_ptr<Link> link_;  // the current one; none between two attempts
    std::size_t in_flight_ = 0;   // bytes that are being written
    io::ActiveTimer timer_;
    std::optional<Time> armed_;
    std::optional<std::chrono::nanoseconds> output_since_;  // since when the writer should have begun
    boost::asio::steady_timer written_;                     // cancelled when something was written
    std::unordered_map<RequestId, OnReply> replies_;        // of open requests
    std::unordered_map<SubscriptionId, std::shared_ptr<Handlers>> handlers_;
    io::TaskGroup tasks_;
};

// The subscription ends when this is destroyed.
class Subscription {
  public:
    Subscription() = default;
    Subscription(Subscription&& other) noexcept
        : client_(std::exchange(other.client_, nullptr)), id_(other.id_) {}
    Subscription& operator=(Subscription&& other) noexcept;
    ~Subscription() { end(); }
    Subscription(const Subscription&) = delete;
    Subscription& operator=(const Subscription&) = delete;

  private:
    friend class Client;
    Subscription(Client& client, SubscriptionId id) : client_(&client), id_(id) {}
    void end();

    Client* client_ = nullptr;
    SubscriptionId id_ = 0;
};

}  // namespace nats
