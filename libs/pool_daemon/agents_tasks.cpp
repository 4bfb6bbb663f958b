#include "base/text.hpp"
#include "io/file_lock.hpp"
#include "io/log.hpp"
#include "pool_daemon/agents.hpp"
#include "pool_protocol/messages.hpp"
#include "pool_protocol/names.hpp"

namespace pool_daemon {

using pool_protocol::file_name;
using pool_protocol::FileKind;
using pool_protocol::StatedKickReason;

namespace {

constexpr std::chrono::milliseconds kick_reading_time{500};  // the protocol removes its files within 1 s

}  // namespace

Agents::Found Agents::recover(const AgentId& id, bool all_ended) {
    KnownAgent agent;
    agent.has_task = true;
    auto text = files_.agents.read(file_name(id, FileKind::ready), max_ready_bytes);
    pool_protocol::Ready ready =
        text.has_value() ? pool_protocol::parse_ready(*text) : pool_protocol::Ready{};
    agent.name = ready.name;
    agent.session = ready.session;
    agent.keeps_lock = ready.keeps_lock;
    agent.wants_schema = ready.wants_schema;
    agent.reports = ready.reports;
    agent.is_recovered = true;
    agent.lock_was_free = agent.keeps_lock && lock_is_free(id);
    bool seems_dead = agent.lock_was_free;
    known_.emplace(id, std::move(agent));
    watch_locks(all_ended ? std::chrono::milliseconds(0) : lock_check_interval);
    return {std::move(ready), seems_dead};
}

Agents::Handover Agents::assign(pool_protocol::Lease lease, std::string_view content,
                                std::string_view schema) {
    AgentId id = lease.agent;
    if (!known_.at(id).wants_schema) schema = {};
    if (pool_protocol::reads_as_message(content))
        return hand_over(id, {base::concat(" ", content), std::move(lease), schema});
    return hand_over(id, {content, std::move(lease), schema});
}

Agents::Handover Agents::send_heartbeat(const AgentId& id) {
    io::log::debug("heartbeat to ", [&] { return full_name(id); });
    return hand_over(id, {pool_protocol::heartbeat_message()});
}

// An agent without a lock is assumed to be alive while its ready file is there.
bool Agents::is_gone(const AgentId& id, const KnownAgent& agent) const {
    std::string ready(file_name(id, FileKind::ready));
    if (!agent.locked) return !files_.agents.contains(ready);
    return !io::is_locked(files_.agents, ready).value_or(false);
}

Agents::Handover Agents::hand_over(const AgentId& id, TaskFiles task) {
    KnownAgent& agent = known_.at(id);
    if (is_gone(id, agent)) {
        io::log::info(display_name(id), " is gone");
        return Handover::agent_is_dead;
    }
    auto written = put_task(id, std::move(task));
    if (written.has_error()) {
        io::log::warn(written.error().message, "; trying again");
        return Handover::failed;
    }
    agent.has_task = true;
    if (needs_lock_watch(agent)) watch_locks(lock_check_interval);
    return Handover::done;
}

// If the daemon is killed between any two of these calls, the next daemon can tell between which
// (pool/agent_files).
base::Result<void> Agents::put_task(const AgentId& id, TaskFiles task) {
    auto name = file_name(id, FileKind::task);
    if (auto written = files_.scratch.write_in_place(name, task.text); written.has_error()) return written;
    // An existing response that was not processed yet was written before the agent could see this task.
    (void)files_.agents.remove(file_name(id, FileKind::response));
    base::Result<void> done;
    if (!task.schema.empty())
        done = files_.agents.write(files_.scratch, file_name(id, FileKind::schema), task.schema);
    if (done.has_value() && task.lease) done = leases_.take(std::move(*task.lease));
    if (done.has_value()) done = files_.agents.take_from(files_.scratch, name);
    if (done.has_value()) return done;
    leases_.give_back(id);
    (void)files_.scratch.remove(name);
    if (!task.schema.empty()) (void)files_.agents.remove(file_name(id, FileKind::schema));
    return done;
}

void Agents::kick(const AgentId& id, pool::KickReason reason, bool is_requested) {
    if (reason == pool::KickReason::stopped)
        io::log::info("told ", display_name(id), " that the pool stops");
    else if (!is_requested)
        io::log::info("kicked ", display_name(id), ": no response in time");
    known_.erase(id);
    leases_.give_back(id);
    auto written = files_.agents.write(files_.scratch, file_name(id, FileKind::task),
                                       pool_protocol::kicked_message(reason));
    if (written.has_error()) io::log::warn(written.error().message);
    forget_soon(id);
}

void Agents::recall(const AgentId& id, pool::KickReason reason) {
    io::log::info("told ", display_name(id), " to end its work: ", StatedKickReason(reason).text());
    KnownAgent& agent = known_.at(id);
    agent.recalled = reason;
    send_recall(id, agent);
}

// Without a connection, the message replaces the task file, as soon as the disk allows it.
void Agents::send_recall(const AgentId& id, const KnownAgent& agent) {
    pool::KickReason reason = *agent.recalled;
    if (sessions_.send(agent.session, {id, reason})) return;
    auto written = files_.agents.write(files_.scratch, file_name(id, FileKind::task),
                                       pool_protocol::kicked_message(reason));
    if (written.has_value()) return;
    io::log::warn(written.error().message, "; trying again");
    timers_.after(file_retry_delay, [this, id] {
        auto known = known_.find(id);
        if (known != known_.end() && known->second.recalled) send_recall(id, known->second);
    });
}

void Agents::session_begun(const std::string& session) {
    for (const auto& [id, agent] : known_)
        if (agent.session == session && agent.recalled) send_recall(id, agent);
}

void Agents::forget_soon(const AgentId& id) {
    kicked_.insert(id);
    timers_.after(kick_reading_time, [this, id] {
        if (kicked_.erase(id) > 0) remove_files(id);
    });
}

void Agents::finish_kicks() {
    for (const AgentId& id : kicked_)
        remove_files(id);
    kicked_.clear();
}

// The ready file of a recovered agent may have been replaced, so it is not known what the agent asked for.
void Agents::forget(const AgentId& id) {
    auto agent = known_.extract(id);
    bool has_none = !agent.empty() && !agent.mapped().wants_schema && !agent.mapped().reports &&
                    !agent.mapped().is_recovered;
    remove_files(id, has_none ? Additions::none : Additions::possible);
}

void Agents::discard_response(const AgentId& id) {
    io::log::debug("removing an unexpected response of ", [&] { return full_name(id); });
    if (known_.contains(id))
        (void)files_.agents.remove(file_name(id, FileKind::response));
    else
        remove_files(id);
}

// The response is removed last: without it, a starting daemon could take the agent to be at work. The lease
// is removed before it: with the lease alone, anything that the agent writes later would count as its answer.
void Agents::remove_files(const AgentId& id, Additions additions) {
    remove_file(id, FileKind::ready);
    remove_file(id, FileKind::task);
    leases_.give_back(id);
    if (additions == Additions::possible) remove_additions(id);
    remove_file(id, FileKind::response);
}

void Agents::remove_additions(const AgentId& id) {
    remove_file(id, FileKind::schema);
    remove_file(id, FileKind::report);
}

void Agents::remove_file(const AgentId& id, FileKind kind) {
    if (auto removed = files_.agents.remove(file_name(id, kind)); removed.has_error())
        io::log::warn(removed.error().message);
}

}  // namespace pool_daemon
