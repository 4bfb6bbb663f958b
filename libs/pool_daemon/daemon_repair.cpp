// What was removed while the daemon runs is created again.
#include "base/text.hpp"
#include "io/local_socket.hpp"
#include "io/log.hpp"
#include "pool_daemon/daemon_impl.hpp"
#include "pool_protocol/names.hpp"

namespace pool_daemon {

// Without its notes about the engine's tasks a daemon could not be started again after a kill.
base::Result<void> Daemon::Impl::claim_again() {
    base::Result<void> claimed = base::invalid(
        base::concat(files_.pool.path(), " was removed, and with it the notes about the engine's tasks"));
    if (!edge_) claimed = files_.claim_again(directory_);
    bool is_over = claimed.has_error() &&
                   (edge_ || claimed.error().code == boost::system::errc::resource_unavailable_try_again);
    if (!is_over) return claimed;
    io::log::error(claimed.error().message, "; this daemon ends");
    is_displaced_ = true;
    request_stop();
    return {};
}

base::Result<void> Daemon::Impl::listen_again() {
    auto socket = io::listen_local(files_.pool, pool_protocol::socket_name);
    if (socket.has_error()) return socket.error();
    files_.keeps_socket = false;
    files_.note_socket();
    listener_.listen_on(std::move(*socket));
    return {};
}

base::Result<void> Daemon::Impl::create_missing() {
    if (files_.is_removed())
        if (auto claimed = claim_again(); claimed.has_error() || is_displaced_) return claimed;
    if (auto made = files_.make_directories(); made.has_error()) return made;
    note_owner();
    inbox_.stop();
    if (auto watched = inbox_.watch(); watched.has_error()) return watched;
    if (auto written = leases_.write_again(); written.has_error()) return written;
    if (!files_.has_socket())
        if (auto listening = listen_again(); listening.has_error()) return listening;
    if (!files_.pool.contains(pool_protocol::status_name))
        if (auto announced = files_.announce(); announced.has_error()) return announced;
    inbox_.scan();
    return {};
}

}  // namespace pool_daemon
