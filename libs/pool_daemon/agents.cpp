#include "pool_daemon/agents.hpp"

#include "base/json.hpp"
#include "base/text.hpp"
#include "io/file_lock.hpp"
#include "io/log.hpp"
#include "pool_protocol/messages.hpp"
#include "pool_protocol/names.hpp"

#include <algorithm>

namespace pool_daemon {

using pool_protocol::file_name;
using pool_protocol::FileKind;

namespace {

constexpr std::size_t max_ready_bytes = 256 * 1024;
constexpr std::chrono::milliseconds kick_reading_time{500};  // R14: gone within 1 s

bool is_missing(const base::Error& error) {
    return error.code == boost::system::errc::no_such_file_or_directory;
}

constexpr std::chrono::milliseconds look_again{200};
constexpr std::size_t told_trouble = 3000;  // bytes of it that a submitter gets to see

// Most control characters take six bytes in a JSON string.
bool fits_as_json(std::string_view text, std::size_t limit) {
    return text.size() <= limit / 6 || json::quoted_size(text) <= limit;
}

// Many are called agent-1 anyway.
std::string called(std::string_view name) {
    return base::concat(name.starts_with("agent") ? "" : "agent ", name);
}

}  // namespace

Agents::Agents(const PoolFiles& files, Leases& leases, Alarms& alarms, const AgentSessions& sessions,
               std::size_t max_message_bytes, Callbacks callbacks)
    : files_(files),
      leases_(leases),
      alarms_(alarms),
      sessions_(sessions),
      max_message_bytes_(max_message_bytes),
      callbacks_(std::move(callbacks)) {}

void Agents::ready_written(const std::string& id, Seen seen) {
    if (kicked_.contains(id)) return;
    auto text = files_.agents.read(file_name(id, FileKind::ready), max_ready_bytes);
    if (text.has_error()) {
        if (io::is_passing(text.error()))
            return alarms_.after(look_again, [=, this] { ready_written(id, seen); });
        if (!is_missing(text.error())) io::log::warn("ignoring an agent: ", text.error().message);
        return;
    }
    pool_protocol::Ready ready = pool_protocol::parse_ready(*text);
    auto known = known_.find(id);
    if (known != known_.end()) {
        if (known->second.has_task && ready.release) released(id, known->second, std::move(*ready.release));
        return;
    }
    if (ready.release) return remove_files(id);  // too late: it was kicked meanwhile
    // A task from another daemon's time: its response is nobody's, but the agent is not to get a second one
    // (R16).
    if (seen == Seen::found && files_.agents.contains(file_name(id, FileKind::task))) return;
    Known agent;
    agent.name = ready.name;
    agent.session = ready.session;
    agent.locked = ready.locked;
    agent.keeps_lock = ready.keeps_lock;
    known_.emplace(id, std::move(agent));
    io::log::debug([&] { return full_name(id); }, " is ready");
    callbacks_.on_ready(id, ready);
}

void Agents::released(const std::string& session, const pool_protocol::AgentRelease& release) {
    auto known = known_.find(release.agent);
    if (known == known_.end() || !known->second.has_task || known->second.session != session) return;
    released(release.agent, known->second, release.release);
}

void Agents::released(const std::string& id, Known& agent, pool_protocol::Release release) {
    using Reason = pool_protocol::Release::Reason;
    std::string_view why = std::string_view(release.message).substr(0, told_trouble);
    Reason reason = release.reason;
    std::string_view what = reason == Reason::handed_back ? " handed the task back: "
                            : reason == Reason::timeout   ? "'s command wrote to stderr: "
                                                          : ": ";
    if (reason != Reason::ended && !why.empty()) agent.trouble = base::concat(display_name(id), what, why);
    if (reason == Reason::handed_back) io::log::warn(display_name(id), " hands its task back: ", why);
    if (reason == Reason::failed) io::log::debug([&] { return full_name(id); }, " failed: ", why);
    if (reason == Reason::ended) io::log::debug([&] { return full_name(id); }, " has ended its work");
    agent.release = std::move(release);
    callbacks_.on_release(id, reason);
}

void Agents::session_ended(const std::string& session) {
    std::vector<std::string> dead;
    for (const auto& [id, agent] : known_) {
        if (agent.session != session || !agent.has_task || !agent.keeps_lock) continue;
        if (lock_is_free(id)) dead.push_back(id);
    }
    for (const std::string& id : dead)
        seems_dead(id);
    watch_locks(lock_look);
}

// A shortage of descriptors is no sign of anybody's death.
bool Agents::lock_is_free(const std::string& id) const {
    return io::is_locked(files_.agents, std::string(file_name(id, FileKind::ready))) == std::optional(false);
}

bool Agents::needs_lock_watch(const Known& agent) const {
    return agent.has_task && agent.keeps_lock &&
           (agent.is_recovered || !sessions_.is_connected(agent.session));
}

void Agents::watch_locks(std::chrono::milliseconds delay) {
    if (watching_locks_) return;
    watching_locks_ = std::any_of(known_.begin(), known_.end(),
                                  [&](const auto& agent) { return needs_lock_watch(agent.second); });
    if (!watching_locks_) return;
    alarms_.after(delay, [this] {
        watching_locks_ = false;
        look_at_locks();
        watch_locks(lock_look);
    });
}

void Agents::look_at_locks() {
    std::vector<std::string> dead;
    for (auto& [id, agent] : known_) {
        if (!needs_lock_watch(agent)) continue;
        bool is_free = lock_is_free(id);
        if (std::exchange(agent.lock_was_free, is_free) && is_free) dead.push_back(id);
    }
    for (const std::string& id : dead)
        seems_dead(id);
}

// Its last act may not have been heard of yet: a response, or that it let go of its task.
void Agents::seems_dead(const std::string& id) {
    look_for_response(id);
    if (knows(id)) ready_written(id, Seen::announced);
    auto known = known_.find(id);
    if (known == known_.end() || !known->second.has_task) return;
    if (files_.agents.contains(file_name(id, FileKind::response))) return;  // that can't be read for now
    io::log::warn(display_name(id), " died at work");
    callbacks_.on_died(id);
}

void Agents::look_for_response(const std::string& id) {
    if (files_.agents.contains(file_name(id, FileKind::response))) response_written(id);
}

void Agents::ready_removed(const std::string& id) {
    if (kicked_.erase(id) > 0) return remove_files(id);
    auto known = known_.find(id);
    if (known == known_.end()) return;
    if (known->second.has_task && known->second.recalled.empty())
        io::log::warn(display_name(id), " took its ready file away: its task is queued again");
    callbacks_.on_left(id);
}

void Agents::look_for_departed(const std::unordered_set<std::string>& names) {
    std::vector<std::string> departed;
    for (const auto& [id, agent] : known_) {
        std::string ready(file_name(id, FileKind::ready));
        // A name that is replaced meanwhile may be missing from a list.
        if (!names.contains(ready) && !files_.agents.contains(ready)) departed.push_back(id);
    }
    for (const std::string& id : departed)
        ready_removed(id);
}

void Agents::response_written(const std::string& id) {
    auto known = known_.find(id);
    if (known == known_.end() || !known->second.has_task) return callbacks_.on_response(id);
    // Written a second time, or its writer is not quite through with closing it: the kernel announces that
    // before it lets go of the file.
    auto text = files_.agents.read_finished(file_name(id, FileKind::response), max_message_bytes_);
    if (text.has_error()) {
        if (io::is_passing(text.error()) || text.error().code == boost::system::errc::text_file_busy)
            return alarms_.after(look_again, [=, this] { response_written(id); });
        if (is_missing(text.error())) return;
        if (text.error().code == boost::system::errc::file_too_large)
            return reject(id, known->second, text.error().message);
        return complain(id, known->second,
                        base::concat(" has written a response that can't be used: ", text.error().message));
    }
    if (text->empty())  // not yet an answer
        return complain(id, known->second, " has left its response file empty; waiting for an answer in it");
    if (!fits_as_json(*text, 2 * max_message_bytes_))
        return reject(id, known->second,
                      base::concat("its response of ", text->size(), " bytes is longer than ",
                                   2 * max_message_bytes_, " bytes as a JSON string"));
    known->second.response = std::move(*text);
    callbacks_.on_response(id);
}

void Agents::reject(const std::string& id, Known& agent, std::string problem) {
    io::log::warn(display_name(id), ": ", problem);
    agent.trouble = base::concat(display_name(id), ": ", problem);
    callbacks_.on_rejected(id);
}

void Agents::complain(const std::string& id, Known& agent, std::string_view about) {
    if (!std::exchange(agent.complained_of, true)) io::log::warn(display_name(id), about);
}

Agents::Found Agents::recover(const std::string& id, bool all_ended) {
    Known agent;
    agent.has_task = true;
    auto text = files_.agents.read(file_name(id, FileKind::ready), max_ready_bytes);
    pool_protocol::Ready ready =
        text.has_value() ? pool_protocol::parse_ready(*text) : pool_protocol::Ready{};
    agent.name = ready.name;
    agent.session = ready.session;
    agent.keeps_lock = ready.keeps_lock;
    agent.is_recovered = true;
    agent.lock_was_free = agent.keeps_lock && lock_is_free(id);
    bool seems_dead = agent.lock_was_free;
    known_.emplace(id, std::move(agent));
    watch_locks(all_ended ? std::chrono::milliseconds(0) : lock_look);
    return {std::move(ready), seems_dead};
}

Agents::Handover Agents::assign(pool_protocol::Lease lease, std::string_view content) {
    std::string id = lease.agent;
    if (pool_protocol::reads_as_message(content))
        return hand_over(id, base::concat(" ", content), std::move(lease));
    return hand_over(id, content, std::move(lease));
}

Agents::Handover Agents::send_heartbeat(const std::string& id) {
    io::log::debug("heartbeat to ", [&] { return full_name(id); });
    return hand_over(id, pool_protocol::heartbeat_message(), std::nullopt);
}

Agents::Handover Agents::hand_over(const std::string& id, std::string_view text,
                                   std::optional<pool_protocol::Lease> lease) {
    Known& agent = known_.at(id);
    // One that holds no lock is trusted as it stands: its ready file's removal announces itself.
    if (agent.locked &&
        !io::is_locked(files_.agents, std::string(file_name(id, FileKind::ready))).value_or(false)) {
        io::log::info(display_name(id), " is gone");
        return Handover::agent_is_dead;
    }
    auto written = put_task(id, text, std::move(lease));
    if (written.has_error()) {
        io::log::warn(written.error().message, "; trying again");
        return Handover::failed;
    }
    agent.has_task = true;
    if (needs_lock_watch(agent)) watch_locks(lock_look);
    return Handover::done;
}

// Should the daemon be killed between any two of these calls, the next one can tell which (pool/remains).
base::Result<void> Agents::put_task(const std::string& id, std::string_view text,
                                    std::optional<pool_protocol::Lease> lease) {
    auto name = file_name(id, FileKind::task);
    if (auto written = files_.scratch.write_in_place(name, text); written.has_error()) return written;
    // One that is there already, and not heard of yet, was written before the agent could see this task.
    (void)files_.agents.remove(file_name(id, FileKind::response));
    base::Result<void> done;
    if (lease) done = leases_.take(std::move(*lease));
    if (done.has_value()) done = files_.agents.take_from(files_.scratch, name);
    if (done.has_value()) return done;
    leases_.give_back(id);
    (void)files_.scratch.remove(name);
    return done;
}

void Agents::kick(const std::string& id, std::string_view reason) {
    if (reason == "Stopped")
        io::log::info("told ", display_name(id), " that the pool stops");
    else
        io::log::info("kicked ", display_name(id), ": no response in time");
    known_.erase(id);
    leases_.give_back(id);
    auto written = files_.agents.write(files_.scratch, file_name(id, FileKind::task),
                                       pool_protocol::kicked_message(reason));
    if (written.has_error()) io::log::warn(written.error().message);
    forget_soon(id);
}

void Agents::recall(const std::string& id, std::string_view reason) {
    io::log::info("told ", display_name(id), " to end its work: ", reason);
    Known& agent = known_.at(id);
    agent.recalled = reason;
    tell_recall(id, agent);
}

// By file where there is no connection: the task is replaced by the message, as soon as there is room for it.
void Agents::tell_recall(const std::string& id, const Known& agent) {
    if (sessions_.send(agent.session, {id, agent.recalled})) return;
    auto written = files_.agents.write(files_.scratch, file_name(id, FileKind::task),
                                       pool_protocol::kicked_message(agent.recalled));
    if (written.has_value()) return;
    io::log::warn(written.error().message, "; trying again");
    alarms_.after(look_again, [this, id] {
        auto known = known_.find(id);
        if (known != known_.end() && !known->second.recalled.empty()) tell_recall(id, known->second);
    });
}

void Agents::session_begun(const std::string& session) {
    for (const auto& [id, agent] : known_)
        if (agent.session == session && !agent.recalled.empty()) tell_recall(id, agent);
}

void Agents::forget_soon(const std::string& id) {
    kicked_.insert(id);
    alarms_.after(kick_reading_time, [this, id] {
        if (kicked_.erase(id) > 0) remove_files(id);
    });
}

void Agents::finish_kicks() {
    for (const std::string& id : kicked_)
        remove_files(id);
    kicked_.clear();
}

void Agents::forget(const std::string& id) {
    known_.erase(id);
    remove_files(id);
}

void Agents::discard_response(const std::string& id) {
    io::log::debug("removing a response that nobody waits for, of ", [&] { return full_name(id); });
    if (known_.contains(id))
        (void)files_.agents.remove(file_name(id, FileKind::response));
    else
        remove_files(id);
}

// The response last: without it a daemon that starts could take the agent to be at work (R17). And the lease
// before it: with that alone, whatever the agent writes later would count as its answer.
void Agents::remove_files(const std::string& id) {
    auto remove = [&](FileKind kind) {
        if (auto removed = files_.agents.remove(file_name(id, kind)); removed.has_error())
            io::log::warn(removed.error().message);
    };
    remove(FileKind::ready);
    remove(FileKind::task);
    leases_.give_back(id);
    remove(FileKind::response);
}

std::string Agents::take_response(const std::string& id) {
    return std::move(known_.at(id).response);
}

std::string Agents::display_name(const std::string& id) const {
    return called(name_or_id(id));
}

// For who looks closely: several agents may have the same name.
std::string Agents::full_name(const std::string& id) const {
    std::string given = name(id);
    return given.empty() ? called(id) : base::concat(called(given), " (", id, ")");
}

std::string Agents::trouble(const std::string& id) const {
    auto known = known_.find(id);
    return known == known_.end() ? std::string() : known->second.trouble;
}

pool_protocol::Release Agents::release(const std::string& id) const {
    auto known = known_.find(id);
    return known == known_.end() ? pool_protocol::Release{} : known->second.release;
}

std::string Agents::name(const std::string& id) const {
    auto known = known_.find(id);
    return known == known_.end() ? std::string() : known->second.name;
}

std::string Agents::name_or_id(const std::string& id) const {
    std::string given = name(id);
    return given.empty() ? id : given;
}

}  // namespace pool_daemon
