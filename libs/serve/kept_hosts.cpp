#include "serve/kept_hosts.hpp"

namespace serve {

namespace {

constexpr std::chrono::seconds between_questions{5};

}  // namespace

bool KeptHosts::take_turn(Time now) {
    if (asked_ && now < *asked_ + between_questions) return false;
    asked_ = now;
    return true;
}

void KeptHosts::keep(const pool_protocol::Status& status, Time now) {
    std::erase_if(pools_, [&](const auto& one) { return now > one.second.since + 2 * between_questions; });
    if (status.engine) pools_.insert_or_assign(status.path, Kept{now, status.engine->hosts});
}

void KeptHosts::add_to(pool_protocol::Status& status, Time now) const {
    if (!status.engine || !status.engine->is_connected) return;
    auto kept = pools_.find(status.path);
    if (kept != pools_.end() && now <= kept->second.since + 2 * between_questions)
        status.engine->hosts = kept->second.hosts;
}

}  // namespace serve
