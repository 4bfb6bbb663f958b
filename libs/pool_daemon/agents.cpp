#include "pool_daemon/agents.hpp"

#include "base/text.hpp"
#include "io/file_lock.hpp"
#include "io/log.hpp"
#include "pool_protocol/messages.hpp"
#include "pool_protocol/names.hpp"

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

}  // namespace

Agents::Agents(const PoolFiles& files, Alarms& alarms, std::size_t max_message_bytes, Callbacks callbacks)
    : files_(files),
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
        if (!ready.handed_back || !known->second.has_task) return;
        io::log::warn(display_name(id), " hands its task back: ", *ready.handed_back);
        return callbacks_.on_left(id);
    }
    if (ready.handed_back) return remove_files(id);  // too late: it was kicked meanwhile
    // A task from another daemon's time: its response is nobody's, but the agent is not to get a second one
    // (R16).
    if (seen == Seen::found && files_.agents.contains(file_name(id, FileKind::task))) return;
    Known agent;
    agent.name = ready.name;
    agent.locked = ready.locked;
    known_.emplace(id, std::move(agent));
    io::log::debug(display_name(id), " is ready");
    callbacks_.on_ready(id);
}

void Agents::ready_removed(const std::string& id) {
    if (kicked_.erase(id) > 0) return remove_files(id);
    auto known = known_.find(id);
    if (known == known_.end()) return;
    if (known->second.has_task)
        io::log::warn(display_name(id), " took its ready file away: its task is queued again");
    callbacks_.on_left(id);
}

void Agents::look_for_departed() {
    std::vector<std::string> departed;
    for (const auto& [id, agent] : known_)
        if (!files_.agents.contains(file_name(id, FileKind::ready))) departed.push_back(id);
    for (const std::string& id : departed)
        ready_removed(id);
}

void Agents::response_written(const std::string& id) {
    auto known = known_.find(id);
    if (known == known_.end() || !known->second.has_task) return callbacks_.on_response(id);
    auto text = files_.agents.read(file_name(id, FileKind::response), max_message_bytes_);
    if (text.has_error()) {
        if (io::is_passing(text.error()))
            return alarms_.after(look_again, [=, this] { response_written(id); });
        if (!is_missing(text.error()))
            io::log::warn(display_name(id),
                          " has written a response that can't be used: ", text.error().message);
        return;
    }
    if (text->empty()) {  // not yet an answer
        io::log::warn(display_name(id), " has left its response file empty; waiting for an answer in it");
        return;
    }
    known->second.response = std::move(*text);
    callbacks_.on_response(id);
}

Agents::Handover Agents::assign(const std::string& id, std::string_view content) {
    return hand_over(id, pool_protocol::task_file_text(content));
}

Agents::Handover Agents::send_heartbeat(const std::string& id) {
    io::log::debug("heartbeat to ", display_name(id));
    return hand_over(id, pool_protocol::heartbeat_message());
}

Agents::Handover Agents::hand_over(const std::string& id, std::string_view text) {
    Known& agent = known_.at(id);
    // One that holds no lock is trusted as it stands: its ready file's removal announces itself.
    if (agent.locked && !io::is_locked(files_.agents, file_name(id, FileKind::ready)).value_or(false)) {
        io::log::info(display_name(id), " is gone");
        return Handover::agent_is_dead;
    }
    auto written = files_.agents.write(files_.scratch, file_name(id, FileKind::task), text);
    if (written.has_error()) {
        io::log::warn(written.error().message, "; trying again");
        return Handover::failed;
    }
    agent.has_task = true;
    return Handover::done;
}

void Agents::kick(const std::string& id, std::string_view reason) {
    io::log::info("kicked ", display_name(id), " (", reason, ")");
    known_.erase(id);
    kicked_.insert(id);
    auto written = files_.agents.write(files_.scratch, file_name(id, FileKind::task),
                                       pool_protocol::kicked_message(reason));
    if (written.has_error()) io::log::warn(written.error().message);
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
    io::log::debug("removing a response that nobody waits for, of ", display_name(id));
    if (known_.contains(id))
        (void)files_.agents.remove(file_name(id, FileKind::response));
    else
        remove_files(id);
}

void Agents::remove_files(const std::string& id) {
    for (FileKind kind : {FileKind::ready, FileKind::task, FileKind::response})
        if (auto removed = files_.agents.remove(file_name(id, kind)); removed.has_error())
            io::log::warn(removed.error().message);
}

std::string Agents::take_response(const std::string& id) {
    return std::move(known_.at(id).response);
}

std::string Agents::display_name(const std::string& id) const {
    auto known = known_.find(id);
    if (known == known_.end() || known->second.name.empty()) return base::concat("agent ", id);
    return base::concat("agent ", known->second.name, " (", id, ")");
}

}  // namespace pool_daemon
