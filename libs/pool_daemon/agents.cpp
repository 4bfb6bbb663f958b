#include "pool_daemon/agents.hpp"

#include "base/text.hpp"
#include "io/file_lock.hpp"
#include "io/log.hpp"
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

// Many are called agent-1 anyway.
std::string called(std::string_view name) {
    return base::concat(name.starts_with("agent") ? "" : "agent ", name);
}

}  // namespace

Agents::Agents(const PoolFiles& files, Leases& leases, Alarms& alarms, std::size_t max_message_bytes,
               Callbacks callbacks)
    : files_(files),
      leases_(leases),
      alarms_(alarms),
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
        if (known->second.has_task) task_refused(id, known->second, ready);
        return;
    }
    if (ready.handed_back || ready.failed) return remove_files(id);  // too late: it was kicked meanwhile
    // A task from another daemon's time: its response is nobody's, but the agent is not to get a second one
    // (R16).
    if (seen == Seen::found && files_.agents.contains(file_name(id, FileKind::task))) return;
    Known agent;
    agent.name = ready.name;
    agent.locked = ready.locked;
    known_.emplace(id, std::move(agent));
    io::log::debug([&] { return full_name(id); }, " is ready");
    callbacks_.on_ready(id);
}

void Agents::task_refused(const std::string& id, Known& agent, const pool_protocol::Ready& ready) {
    if (!ready.handed_back && !ready.failed) return;
    const std::string& why = ready.handed_back ? *ready.handed_back : *ready.failed;
    agent.trouble =
        base::concat(display_name(id), ready.handed_back ? " handed the task back: " : " failed: ",
                     std::string_view(why).substr(0, told_trouble));
    agent.has_given_up = !ready.handed_back;
    if (agent.has_given_up)
        return io::log::debug([&] { return full_name(id); }, " leaves its task to time out: ", why);
    io::log::warn(display_name(id), " hands its task back: ", why);
    callbacks_.on_left(id);
}

void Agents::ready_removed(const std::string& id) {
    if (kicked_.erase(id) > 0) return remove_files(id);
    auto known = known_.find(id);
    if (known == known_.end()) return;
    if (known->second.has_task)
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
        return complain(id, known->second,
                        base::concat(" has written a response that can't be used: ", text.error().message));
    }
    if (text->empty())  // not yet an answer
        return complain(id, known->second, " has left its response file empty; waiting for an answer in it");
    known->second.response = std::move(*text);
    callbacks_.on_response(id);
}

void Agents::complain(const std::string& id, Known& agent, std::string_view about) {
    if (!std::exchange(agent.complained_of, true)) io::log::warn(display_name(id), about);
}

void Agents::recover(const std::string& id) {
    Known agent;
    agent.has_task = true;
    auto text = files_.agents.read(file_name(id, FileKind::ready), max_ready_bytes);
    pool_protocol::Ready ready =
        text.has_value() ? pool_protocol::parse_ready(*text) : pool_protocol::Ready{};
    agent.name = ready.name;
    Known& known = known_.emplace(id, std::move(agent)).first->second;
    if (ready.failed) task_refused(id, known, ready);
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

bool Agents::has_given_up(const std::string& id) const {
    auto known = known_.find(id);
    return known != known_.end() && known->second.has_given_up;
}

std::size_t Agents::given_up() const {
    return static_cast<std::size_t>(std::count_if(
        known_.begin(), known_.end(), [](const auto& agent) { return agent.second.has_given_up; }));
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
