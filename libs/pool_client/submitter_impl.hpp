// The inside of a Submitter: submitter.cpp feeds submit_connection and carries out its actions,
// submitter_sockets.cpp looks for the pool and keeps the sockets. For this library only.
#pragma once

#include "io/framed_socket.hpp"
#include "io/log.hpp"
#include "pool_client/daemon_end_watch.hpp"
#include "pool_client/staged_request.hpp"
#include "pool_client/submit_connection.hpp"
#include "pool_client/submitter.hpp"
#include "pool_protocol/unmatched.hpp"

#include <boost/asio/steady_timer.hpp>

#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <unordered_map>

namespace pool_client {

class Submitter::Impl : public std::enable_shared_from_this<Impl> {
  public:
    Impl(boost::asio::any_io_executor executor, io::DirectoryWatch& watch,
         pool_protocol::PoolDirectory directory, SubmitterOptions options)
        : executor_(executor),
          watch_(watch),
          directory_(std::move(directory)),
          options_(std::move(options)),
          look_timer_(executor) {
        state_.settings = {options_.transport, options_.pool_wait, options_.outlive_pool};
    }

    boost::asio::awaitable<base::Result<pool_protocol::Answer>> submit(OutgoingTask task);
    boost::asio::awaitable<void> shutdown();
    void withdraw_queued();
    bool is_connected() const { return state_.route.has_value(); }

  private:
    using Socket = std::shared_ptr<io::FramedSocket>;

    // A submission whose caller waits. A part of the caller's coroutine.
    struct Waiter {
        Waiter(Impl& owner, OutgoingTask what);
        ~Waiter();
        Waiter(const Waiter&) = delete;
        Waiter& operator=(const Waiter&) = delete;
        void end(base::Result<pool_protocol::Answer> with);
        void close_socket();

        Impl& impl;
        const OutgoingTask task;
        boost::asio::steady_timer wake;
        std::optional<base::Result<pool_protocol::Answer>> outcome;
        std::optional<StagedRequest> staged;
        Socket own_socket;
        bool asks_by_file = false;
    };

    void feed(connection::Event event);
    void set_look_timer();
    void perform(const connection::Look& action);
    void perform(const connection::Send& action);
    void perform(const connection::SendWithdrawal& action);
    void perform(const connection::AwaitDaemonEnd&) { daemon_end_->begin(); }
    void perform(const connection::Deliver& action);
    void perform(const connection::Fail& action);
    void perform(const connection::DiscardAnswer&) { io::log::debug("an answer came that nobody waits for"); }
    void perform(const connection::ReportFallback&) { io::log::debug(last_error_.message, "; using files"); }
    void perform(const connection::ReportOutage& action);

    boost::asio::awaitable<void> ask_by_file(Waiter& waiter);
    void pool_missing(const base::Error& error);
    void found_by_file(connection::Event event);
    void connect(const io::Directory& pool);
    Socket open_shared(io::UniqueFd socket);
    void shared_lost();
    Socket open_alone(io::UniqueFd socket, const connection::SubmissionId& id);
    void alone_lost(const connection::SubmissionId& id, const Socket& socket);
    bool is_own_socket(const connection::SubmissionId& id, const Socket& socket) const;
    Socket open_socket(io::UniqueFd socket, io::FramedSocket::Callbacks callbacks);
    void send_shared(Waiter& waiter);
    void send_alone(Waiter& waiter);
    void frame_arrived(const std::string& frame);
    void frame_arrived_alone(const connection::SubmissionId& id, const Socket& socket,
                             const std::string& frame);
    void activity_arrived(const pool_protocol::TaskActivity& told);
    void unmatched_arrived(const pool_protocol::Unmatched& unmatched);
    void status_arrived(const std::string& frame);
    void withdraw(const std::vector<connection::SubmissionId>& submissions);
    void answer_arrived(const std::optional<connection::SubmissionId>& id, pool_protocol::Answer answer);
    RequestOptions request_options() const {
        return {true, static_cast<bool>(options_.on_host_request), static_cast<bool>(options_.on_unmatched)};
    }

    boost::asio::any_io_executor executor_;
    io::DirectoryWatch& watch_;
    pool_protocol::PoolDirectory directory_;
    SubmitterOptions options_;
    connection::State state_;
    std::deque<connection::Event> events_;  // carrying out an action may lead to further ones
    bool is_feeding_ = false;
    std::unordered_map<connection::SubmissionId, Waiter*> waiters_;
    std::set<base::Labels> reported_unmatched_;
    bool has_knocked_ = false;   // since the pool is missing
    bool is_published_ = false;  // the pool that was found last is served by a published daemon
    Socket shared_;
    std::optional<DaemonEndWatch> daemon_end_;  // of the daemon that was found last by the route `files`
    pool_protocol::Answer arrived_;             // for Deliver
    base::Error last_error_;                    // for Fail and ReportOutage
    boost::asio::steady_timer look_timer_;
    std::optional<connection::Time> look_time_;  // that the timer is set to
};

}  // namespace pool_client
