#include "io/file_lock.hpp"
#include "io/log.hpp"
#include "pool_daemon/agents.hpp"
#include "pool_protocol/names.hpp"

#include <algorithm>

namespace pool_daemon {

using pool_protocol::file_name;
using pool_protocol::FileKind;

void Agents::session_ended(const std::string& session) {
    std::vector<AgentId> dead;
    for (const auto& [id, agent] : known_) {
        if (agent.session != session || !agent.has_task || !agent.keeps_lock) continue;
        if (lock_is_free(id)) dead.push_back(id);
    }
    for (const AgentId& id : dead)
        report_death(id);
    watch_locks(lock_check_interval);
}

// If the lock cannot be checked for lack of descriptors, the agent is not taken for dead.
bool Agents::lock_is_free(const AgentId& id) const {
    return io::is_locked(files_.agents, std::string(file_name(id, FileKind::ready))) == std::optional(false);
}

bool Agents::needs_lock_watch(const KnownAgent& agent) const {
    return agent.has_task && agent.keeps_lock &&
           (agent.is_recovered || !sessions_.is_connected(agent.session));
}

void Agents::watch_locks(std::chrono::milliseconds delay) {
    if (watching_locks_) return;
    watching_locks_ = std::any_of(known_.begin(), known_.end(),
                                  [&](const auto& agent) { return needs_lock_watch(agent.second); });
    if (!watching_locks_) return;
    timers_.after(delay, [this] {
        watching_locks_ = false;
        check_locks();
        watch_locks(lock_check_interval);
    });
}

void Agents::check_locks() {
    std::vector<AgentId> dead;
    for (auto& [id, agent] : known_) {
        if (!needs_lock_watch(agent)) continue;
        bool is_free = lock_is_free(id);
        if (std::exchange(agent.lock_was_free, is_free) && is_free) dead.push_back(id);
    }
    for (const AgentId& id : dead)
        report_death(id);
}

// Its last response or release may not have been processed yet.
void Agents::report_death(const AgentId& id) {
    check_response(id);
    if (knows(id)) ready_written(id, Source::event);
    auto known = known_.find(id);
    if (known == known_.end() || !known->second.has_task) return;
    if (files_.agents.contains(file_name(id, FileKind::response))) return;  // it cannot be read at the moment
    io::log::warn(display_name(id), " died at work");
    callbacks_.on_died(id);
}

}  // namespace pool_daemon
