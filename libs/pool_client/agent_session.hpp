// The connection that a process with agents keeps to the daemon, one for all of them
// (docs/troupe-protocol.md, "Sessions of agents"): by its end the daemon notices their death, over it the
// daemon tells them to end their work, and they let go of tasks without a file. Where a daemon knows no
// sessions, or the socket is denied, the agents go on by files.
#pragma once

#include "io/framed_socket.hpp"
#include "pool_protocol/pool_directory.hpp"
#include "pool_protocol/ready.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>

#include <functional>
#include <memory>
#include <string>
#include <unordered_map>

namespace pool_client {

// All calls from the executor's thread.
class AgentSession {
  public:
    // `on_socket` gets the connection's descriptor when there is one, and -1 when there is none any more; may
    // be empty.
    AgentSession(boost::asio::any_io_executor executor, pool_protocol::PoolDirectory directory,
                 std::string id, std::function<void(int socket)> on_socket = {});
    ~AgentSession();
    AgentSession(const AgentSession&) = delete;
    AgentSession& operator=(const AgentSession&) = delete;

    // Connects, and again whenever the connection is lost, until a terminal cancellation.
    boost::asio::awaitable<void> keep();

    // Returns when there is a session, or none is to be had for now; after a second at the latest.
    boost::asio::awaitable<void> settled();

    bool is_connected() const { return connected_; }
    const std::string& id() const { return id_; }

    // False if there is no connection: it has to be done by file.
    bool release(const std::string& agent, const pool_protocol::Release& release);

    using OnKick = std::function<void(const std::string& reason)>;

    // Calls `on_kick` when the daemon wants this agent to end its work, as long as the object lives.
    class Listening {
      public:
        Listening(AgentSession& session, std::string agent, OnKick on_kick);
        ~Listening();
        Listening(const Listening&) = delete;
        Listening& operator=(const Listening&) = delete;

      private:
        AgentSession& session_;
        std::string agent_;
    };

    // What was sent is sent to the end, for up to a second; then the connection is closed.
    boost::asio::awaitable<void> close();

  private:
    enum class Attempt { connected, not_served, not_supported, denied };

    boost::asio::awaitable<Attempt> connect();
    void frame_came(const std::string& frame);
    void connection_lost();
    void settle();

    boost::asio::any_io_executor executor_;
    pool_protocol::PoolDirectory directory_;
    std::string id_;
    std::function<void(int)> on_socket_;
    std::shared_ptr<io::FramedSocket> link_;
    bool connected_ = false;  // greeted, and answered
    bool is_settled_ = false;
    bool is_settling_ = false;
    boost::asio::steady_timer settled_;
    boost::asio::steady_timer changed_;                // cancelled when the connection is answered or lost
    std::unordered_map<std::string, OnKick> on_kick_;  // by agent
    std::shared_ptr<int> alive_ = std::make_shared<int>();
};

}  // namespace pool_client
