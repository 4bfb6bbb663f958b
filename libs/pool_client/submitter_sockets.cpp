// Looking for the pool, and the sockets over which requests and answers travel.
#include "io/local_socket.hpp"
#include "pool_client/pool_wait.hpp"
#include "pool_client/submitter_impl.hpp"
#include "pool_protocol/messages.hpp"
#include "pool_protocol/names.hpp"
#include "pool_protocol/session.hpp"
#include "pool_protocol/status.hpp"

#include <utility>

namespace pool_client {

using namespace connection;
namespace errc = boost::system::errc;

namespace {

bool may_come(const boost::system::error_code& code) {
    return code == errc::no_such_file_or_directory || code == errc::connection_refused ||
           code == errc::resource_unavailable_try_again || code == errc::host_unreachable;
}

base::Error unreachable(const base::Error& error) {
    return {errc::make_error_code(errc::host_unreachable), error.message};
}

}  // namespace

void Submitter::Impl::perform(const Look& action) {
    auto pool = open_served_pool(directory_);
    if (pool.has_error()) {
        has_knocked_ = has_knocked_ || (action.uses_socket && knock(directory_));
        return pool_missing(pool.error());
    }
    has_knocked_ = false;
    // A published daemon has written `ready` into its status file, and answers one request per connection.
    auto status = pool->read(pool_protocol::status_name, 64);
    is_published_ = status.has_value() && status->starts_with("ready");
    if (action.uses_socket)
        connect(*pool);
    else
        found_by_file(PoolFound{Route::files});
}

void Submitter::Impl::found_by_file(Event event) {
    daemon_end_.emplace(executor_, watch_, directory_, [this] { feed(DaemonGone{}); });
    feed(std::move(event));
}

void Submitter::Impl::pool_missing(const base::Error& error) {
    last_error_ = unreachable(error);
    feed(PoolMissing{may_come(error.code)});
}

void Submitter::Impl::connect(const io::Directory& pool) {
    auto socket = io::connect_local(pool, pool_protocol::socket_name);
    if (socket.has_error()) {
        if (!io::is_denied(socket.error())) return pool_missing(socket.error());
        last_error_ = unreachable(socket.error());
        return found_by_file(SocketDenied{});
    }
    if (is_published_) return feed(PoolFound{Route::own_connections});
    shared_ = open_shared(std::move(*socket));
    feed(PoolFound{Route::shared_connection});
}

Submitter::Impl::Socket Submitter::Impl::open_socket(io::UniqueFd socket,
                                                     io::FramedSocket::Callbacks callbacks) {
    callbacks.on_bad_frame = [](const Socket& connection, std::string problem) {
        io::log::warn("the daemon sent something that is no answer: ", problem);
        connection->close();
    };
    io::LocalSocket connected(executor_, boost::asio::local::stream_protocol(), socket.release());
    io::FramedSocket::Limits limits{pool_protocol::longest_message, std::nullopt, std::nullopt};
    auto framed = std::make_shared<io::FramedSocket>(std::move(connected), limits, std::move(callbacks));
    framed->start();
    return framed;
}

Submitter::Impl::Socket Submitter::Impl::open_shared(io::UniqueFd socket) {
    io::FramedSocket::Callbacks callbacks;
    callbacks.on_frame = [weak = weak_from_this()](const Socket&, std::string frame) {
        if (auto self = weak.lock()) self->frame_arrived(frame);
    };
    callbacks.on_gone = [weak = weak_from_this()](const Socket&, io::FramedSocket::Payloads) {
        if (auto self = weak.lock()) self->shared_lost();
    };
    return open_socket(std::move(socket), std::move(callbacks));
}

Submitter::Impl::Socket Submitter::Impl::open_alone(io::UniqueFd socket, const SubmissionId& id) {
    io::FramedSocket::Callbacks callbacks;
    callbacks.on_frame = [weak = weak_from_this(), id](const Socket& connection, std::string frame) {
        if (auto self = weak.lock()) self->frame_arrived_alone(id, connection, frame);
    };
    callbacks.on_gone = [weak = weak_from_this(), id](const Socket& connection, io::FramedSocket::Payloads) {
        if (auto self = weak.lock()) self->alone_lost(id, connection);
    };
    return open_socket(std::move(socket), std::move(callbacks));
}

void Submitter::Impl::send_shared(Waiter& waiter) {
    waiter.staged.emplace(directory_, waiter.task, waiter.task.id.text(), request_options());
    std::string frame = waiter.staged->take_json();
    std::size_t bytes = frame.size();
    shared_->send(std::move(frame));
    feed(Sent{waiter.task.id, bytes});
}

void Submitter::Impl::send_alone(Waiter& waiter) {
    waiter.close_socket();
    auto socket = io::connect_local(directory_.path, pool_protocol::socket_name);
    if (socket.has_error()) return feed(OwnConnectionLost{waiter.task.id});
    waiter.own_socket = open_alone(std::move(*socket), waiter.task.id);
    waiter.staged.emplace(directory_, waiter.task, std::nullopt, RequestOptions{});
    waiter.own_socket->send(waiter.staged->take_json());
}

// The content that a request names is written anew with the next request: the pool may be another by then.
void Submitter::Impl::shared_lost() {
    shared_.reset();
    for (auto& [id, waiter] : waiters_)
        waiter->staged.reset();
    feed(ConnectionLost{});
}

void Submitter::Impl::alone_lost(const SubmissionId& id, const Socket& socket) {
    if (!is_own_socket(id, socket)) return;
    waiters_.at(id)->staged.reset();
    feed(OwnConnectionLost{id});
}

// A connection that this process has closed belongs to no submission any more.
bool Submitter::Impl::is_own_socket(const SubmissionId& id, const Socket& socket) const {
    auto found = waiters_.find(id);
    return found != waiters_.end() && found->second->own_socket == socket;
}

void Submitter::Impl::frame_arrived(const std::string& frame) {
    if (pool_protocol::is_host_request(frame) && options_.on_host_request) return options_.on_host_request();
    if (auto told = pool_protocol::parse_task_activity(frame)) return activity_arrived(*told);
    if (auto unmatched = pool_protocol::parse_unmatched(frame)) return unmatched_arrived(*unmatched);
    if (pool_protocol::is_status(frame)) return status_arrived(frame);
    auto answered = pool_protocol::parse_answer(frame);
    if (answered.has_error()) return io::log::warn(answered.error().message);
    answer_arrived(answered->id, std::move(answered->answer));
}

void Submitter::Impl::frame_arrived_alone(const SubmissionId& id, const Socket& socket,
                                          const std::string& frame) {
    auto answered = pool_protocol::parse_answer(frame);
    if (answered.has_error()) return socket->close();
    if (is_own_socket(id, socket)) answer_arrived(id, std::move(answered->answer));
}

}  // namespace pool_client
