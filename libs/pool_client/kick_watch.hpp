// Notices, while an agent works on a task, that the task was taken from it: by a message of the session, or
// by the files in agents/.
#pragma once

#include "io/directory_watch.hpp"
#include "pool_client/agent.hpp"
#include "pool_client/agent_session.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>

#include <functional>
#include <memory>
#include <string>

namespace pool_client {

class KickWatch {
  public:
    using OnKick = std::function<void(const pool_protocol::StatedKickReason& reason)>;

    // `on_kick` is called once, from the event loop, as long as the object lives. The assignment must outlive
    // it.
    KickWatch(boost::asio::any_io_executor executor, io::DirectoryWatch& watch, AgentSession& session,
              pool_protocol::PoolDirectory directory, const Assignment& assignment, OnKick on_kick);
    KickWatch(const KickWatch&) = delete;
    KickWatch& operator=(const KickWatch&) = delete;

  private:
    void watch_files();
    void look();
    void look_later();
    void kicked(const pool_protocol::StatedKickReason& reason);

    io::DirectoryWatch& watch_;
    pool_protocol::PoolDirectory directory_;
    const Assignment& assignment_;
    OnKick on_kick_;
    bool was_kicked_ = false;
    bool watches_files_ = false;
    AgentSession::Listening listening_;
    std::unique_ptr<io::DirectoryWatch::Subscription> subscription_;
    boost::asio::steady_timer timer_;
    std::shared_ptr<int> alive_ = std::make_shared<int>();
};

}  // namespace pool_client
