#include "io/frame_listener.hpp"

#include "base/text.hpp"
#include "io/local_socket.hpp"
#include "io/log.hpp"
#include "io/trust.hpp"

#include <algorithm>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>

namespace io {

namespace asio = boost::asio;
using boost::system::error_code;

namespace {

constexpr std::chrono::milliseconds shortage_pause{100};
constexpr int most_at_once = 64;  // connections, before other work gets a turn

// Descriptors reserved for the files of agents and requests. If connections used all of them, no task could
// be written, and the connections would wait for their answers for ever.
constexpr rlim_t kept_for_files = 16;

// Whether enough descriptors are left for files if the lowest free one is this. The limit may change at any
// time.
bool leaves_room(int lowest_descriptor) {
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return true;
    rlim_t kept = std::min(kept_for_files, limit.rlim_cur / 4);
    return static_cast<rlim_t>(lowest_descriptor) < limit.rlim_cur - kept;
}

}  // namespace

FrameListener::FrameListener(asio::any_io_executor executor, UniqueFd socket, std::string subject,
                             FramedSocket::Limits limits, FramedSocket::Callbacks callbacks)
    : executor_(executor),
      acceptor_(executor, asio::local::stream_protocol(), socket.release()),
      pause_(executor),
      subject_(std::move(subject)),
      limits_(limits),
      callbacks_(std::move(callbacks)) {
    auto on_gone = std::move(callbacks_.on_gone);
    callbacks_.on_gone = [this, on_gone](const std::shared_ptr<FramedSocket>& connection,
                                         FramedSocket::Payloads undelivered) {
        connections_.erase(connection);
        on_gone(connection, std::move(undelivered));
    };
}

FrameListener::~FrameListener() {
    close_all();
}

void FrameListener::start() {
    accept();
}

void FrameListener::listen_on(UniqueFd socket) {
    stop_accepting();
    alive_ = std::make_shared<int>();  // the handlers that wait for the old one have no effect
    acceptor_.assign(asio::local::stream_protocol(), socket.release());
    accept();
}

void FrameListener::stop_accepting() {
    error_code ignored;
    acceptor_.close(ignored);
    pause_.cancel();
}

bool FrameListener::has_output() const {
    return std::any_of(
        connections_.begin(), connections_.end(),
        [](const std::shared_ptr<FramedSocket>& connection) { return connection->has_output(); });
}

void FrameListener::close_all() {
    stop_accepting();
    while (!connections_.empty())
        (*connections_.begin())->close();
}

void FrameListener::accept() {
    acceptor_.async_wait(LocalSocket::wait_read, [this, alive = std::weak_ptr(alive_)](error_code ec) {
        if (ec || alive.expired() || !acceptor_.is_open()) return;
        int problem = is_short_ && !has_room() ? EMFILE : accept_some();
        is_short_ = problem != 0;
        if (!is_short_) return accept();
        // Logged once for each shortage.
        if (!std::exchange(shortage_logged_, true))
            log::warn(base::system_error("cannot accept a connection; trying again", problem).message);
        pause_.expires_after(shortage_pause);
        pause_.async_wait([this, alive](error_code cancelled) {
            if (!cancelled && !alive.expired()) accept();
        });
    });
}

bool FrameListener::has_room() {
    UniqueFd lowest(::fcntl(acceptor_.native_handle(), F_DUPFD_CLOEXEC, 0));
    return lowest && leaves_room(lowest.get());
}

// Returns 0, or the errno of the failure.
int FrameListener::accept_some() {
    for (int n = 0; n < most_at_once; ++n) {
        int problem = accept_one();
        if (problem == 0 || problem == EINTR || problem == ECONNABORTED) continue;
        if (problem != EAGAIN) return problem;
        shortage_logged_ = false;
        return 0;
    }
    return 0;
}

// Calls accept4 itself, because Asio's accept does not set close-on-exec. The new socket gets the lowest free
// descriptor. EMFILE if it would leave too few for files.
int FrameListener::accept_one() {
    UniqueFd socket(::accept4(acceptor_.native_handle(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!socket) return errno;
    bool was_the_last = !leaves_room(socket.get() + 1);
    if (is_ours(socket.get())) add(std::move(socket));
    return was_the_last ? EMFILE : 0;
}

bool FrameListener::is_ours(int socket) const {
    auto uid = peer_uid(socket);
    if (uid == own_uid()) return true;
    log::warn("refused a connection of ", uid ? user_name(*uid) : "an unknown user", ": the ", subject_,
              " belongs to another user");
    return false;
}

void FrameListener::add(UniqueFd socket) {
    LocalSocket accepted(executor_, asio::local::stream_protocol(), socket.release());
    auto connection = std::make_shared<FramedSocket>(std::move(accepted), limits_, callbacks_);
    connections_.insert(connection);
    connection->start();
}

}  // namespace io
