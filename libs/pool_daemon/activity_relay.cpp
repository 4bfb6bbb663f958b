#include "pool_daemon/activity_relay.hpp"

#include <chrono>
#include <utility>

namespace pool_daemon {

namespace {

constexpr std::chrono::milliseconds retry_delay{100};

void send_now(io::FramedSocket& connection, std::string frame) {
    connection.expect_reply();  // one more: the answer is still to come
    connection.send(std::move(frame));
}

}  // namespace

void ActivityRelay::remove(Peer peer) {
    wanting_.erase(peer);
    held_.erase(peer);
}

void ActivityRelay::tell(const std::vector<Peer>& peers, const pool_protocol::TaskActivity& task) {
    std::string frame = to_json(task);
    for (Peer peer : peers) {
        auto connection = peers_.connection(peer);
        if (!connection || !wanting_.contains(peer)) continue;
        if (task.used) {
            drop_held(peer, task.id);
            send_now(*connection, frame);
        } else if (!held_.contains(peer) && connection->is_all_read()) {
            send_now(*connection, frame);
        } else {
            held_[peer][task.id] = frame;
        }
    }
    arm();
}

void ActivityRelay::drop_held(Peer peer, const std::string& submission) {
    auto held = held_.find(peer);
    if (held != held_.end()) held->second.erase(submission);
}

void ActivityRelay::answered(const std::string& submission) {
    for (auto& [peer, frames] : held_)
        frames.erase(submission);
}

void ActivityRelay::arm() {
    if (held_.empty() || std::exchange(is_armed_, true)) return;
    timers_.after(retry_delay, [this] {
        is_armed_ = false;
        send_held();
        arm();
    });
}

void ActivityRelay::send_held() {
    std::erase_if(held_, [this](auto& held) {
        auto connection = peers_.connection(held.first);
        if (connection && !held.second.empty() && !connection->is_all_read()) return false;
        for (auto& [submission, frame] : held.second)
            if (connection) send_now(*connection, std::move(frame));
        return true;
    });
}

}  // namespace pool_daemon
