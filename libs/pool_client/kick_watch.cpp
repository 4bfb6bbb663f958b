#include "pool_client/kick_watch.hpp"

#include "pool_protocol/names.hpp"

namespace pool_client {

using pool_protocol::file_name;
using pool_protocol::FileKind;

namespace {

constexpr std::chrono::milliseconds poll_interval{500};  // if inotify is not available

}  // namespace

KickWatch::KickWatch(boost::asio::any_io_executor executor, io::DirectoryWatch& watch, AgentSession& session,
                     pool_protocol::PoolDirectory directory, const Assignment& assignment, OnKick on_kick)
    : watch_(watch),
      directory_(std::move(directory)),
      assignment_(assignment),
      on_kick_(std::move(on_kick)),
      listening_(session, assignment.uuid,
                 {[this](const pool_protocol::StatedKickReason& reason) { kicked(reason); },
                  [this] { watch_files(); }}),
      timer_(executor) {
    if (!session.is_connected()) watch_files();
}

// The files are watched also after the session is connected again: the daemon may have kicked the agent by
// file before.
void KickWatch::watch_files() {
    if (std::exchange(watches_files_, true)) return;
    std::string task(file_name(assignment_.uuid, FileKind::task));
    std::string ready(file_name(assignment_.uuid, FileKind::ready));
    auto subscribed = watch_.watch(directory_.agents(), [=, this](const io::DirectoryEvent& event) {
        if (event.name.empty() || event.name == task || event.name == ready) look();
    });
    if (subscribed.has_value()) subscription_ = std::move(*subscribed);
    look();  // at what happened before the watch began
    if (!subscription_) look_later();
}

void KickWatch::look() {
    if (was_kicked_) return;
    if (auto reason = kick_reason(directory_, assignment_)) kicked(*reason);
}

void KickWatch::look_later() {
    timer_.expires_after(poll_interval);
    timer_.async_wait([this, alive = std::weak_ptr(alive_)](boost::system::error_code ec) {
        if (ec || alive.expired()) return;
        look();
        if (!was_kicked_) look_later();
    });
}

void KickWatch::kicked(const pool_protocol::StatedKickReason& reason) {
    if (!std::exchange(was_kicked_, true)) on_kick_(reason);
}

}  // namespace pool_client
