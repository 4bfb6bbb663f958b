#include "pool_daemon/recovery.hpp"

#include "base/text.hpp"
#include "io/active_clock.hpp"
#include "io/log.hpp"
#include "pool_protocol/messages.hpp"
#include "pool_protocol/names.hpp"
#include "pool_protocol/ready.hpp"

#include <algorithm>

namespace pool_daemon {

using pool::AgentFiles;
using pool::RecoveredState;
using pool_protocol::file_name;
using pool_protocol::FileKind;
using pool_protocol::Lease;
using std::chrono::milliseconds;

namespace {

milliseconds unix_now() {
    return std::chrono::duration_cast<milliseconds>(std::chrono::system_clock::now().time_since_epoch());
}

AgentFiles::Task kind_of_task(std::string_view text) {
    auto message = pool_protocol::parse_daemon_message(text);
    if (!message) return AgentFiles::Task::content;
    return message->kind == pool_protocol::DaemonMessage::Kind::kicked ? AgentFiles::Task::kicked
                                                                       : AgentFiles::Task::heartbeat;
}

// A reported failure is not a hand-back: the scan of the directory will find it and tell the submitter.
bool hands_back(const pool_protocol::Ready& ready) {
    using Reason = pool_protocol::Release::Reason;
    return ready.release && ready.release->reason != Reason::failed &&
           ready.release->reason != Reason::timeout;
}

// If the agent seems to be dead, its deadline is extended, because the second check decides whether it is.
std::optional<pool::Duration> time_for(const Agents::Found& agent, std::optional<pool::Duration> left) {
    return agent.seems_dead && left
               ? std::optional(std::max<pool::Duration>(*left, 2 * Agents::lock_check_interval))
               : left;
}

std::optional<pool::Time> from_now(std::optional<pool::Duration> span) {
    auto now = pool::Time(io::ActiveClock::now().time_since_epoch());
    return span ? std::optional(now + *span) : std::nullopt;
}

}  // namespace

Recovery::Recovery(const PoolFiles& files, Leases& leases, Agents& agents, Submissions& submissions,
                   const edge_shell::Edge* edge, const pool::Config& config, std::size_t max_message_bytes,
                   bool all_ended)
    : files_(files),
      leases_(leases),
      agents_(agents),
      submissions_(submissions),
      edge_(edge),
      config_(config),
      max_message_bytes_(max_message_bytes),
      all_ended_(all_ended) {}

base::Result<std::vector<pool::Recovered>> Recovery::run() {
    look_at_agents();
    std::vector<Lease> leases = leases_.read();
    // The latest first: if two agents have leases for one submission, the earlier one was withdrawn.
    std::sort(leases.begin(), leases.end(),
              [](const Lease& a, const Lease& b) { return a.assigned > b.assigned; });
    for (Lease& lease : leases)
        recover_leased(std::move(lease));
    for (const auto& [agent, found] : found_)
        if (!found.lease) recover_unleased(agent, found);
    if (auto begun = leases_.begin(standing_); begun.has_error()) return begun.error();
    // Done afterwards: an agent with a lease and no task file in scratch/ counts as one that got its task.
    clear_scratch();
    if (!at_work_.empty())
        io::log::info(base::counted(at_work_.size(), "agent"),
                      " still at work on tasks that were assigned before this start");
    return std::move(at_work_);
}

void Recovery::look_at_agents() {
    for (const std::string& name : names_in(files_.agents)) {
        auto file = pool_protocol::parse_file_name(name);
        if (!file || file->kind == FileKind::request) continue;
        AgentFiles& found = found_[std::string(file->id)];
        if (file->kind == FileKind::ready) found.ready = true;
        if (file->kind == FileKind::task) found.task = AgentFiles::Task::content;
        if (file->kind == FileKind::response) found.response = true;
    }
}

void Recovery::recover_leased(Lease lease) {
    AgentFiles& found = found_[lease.agent];
    if (std::exchange(found.lease, true))
        return;  // an older lease of an agent that came again with the same id
    auto ready = files_.agents.read(file_name(lease.agent, FileKind::ready), Agents::max_ready_bytes);
    found.handed_back = ready.has_value() && hands_back(pool_protocol::parse_ready(*ready));
    found.unsent = files_.scratch.contains(file_name(lease.agent, FileKind::task));
    RecoveredState state = classify(found);
    if (state != RecoveredState::at_work) return deal_with(state, lease.agent);
    const bool is_of_engine = lease.submission && edge_ != nullptr && edge_->has_task(*lease.submission);
    if (lease.submission && !is_still_wanted(lease)) lease.submission.reset();
    Agents::Found agent = agents_.recover(lease.agent, all_ended_);
    // The system clock may have been set back.
    auto worked = std::max(unix_now() - lease.assigned, milliseconds(0));
    bool wants_failures =
        lease.submission &&
        (is_of_engine ? lease.wants_failures : submissions_.options(*lease.submission).failures);
    at_work_.push_back({lease.agent, lease.submission, lease.timeout,
                        from_now(time_for(agent, time_left(lease, unix_now()))), worked,
                        agent.ready.ends_when_told, wants_failures, !lease.submission, lease.labels,
                        agent.ready.labels, lease.priority});
    standing_.push_back(std::move(lease));
}

// A task of the engine is wanted if it was not recalled, and has no answer yet.
bool Recovery::is_still_wanted(const Lease& lease) {
    const pool::SubmissionId id = *lease.submission;
    if (const edge_shell::AgentNote* note = edge_ == nullptr ? nullptr : edge_->note(id))
        return note->task.stage == edge::agent_side::Stage::assigned && note->ending_agent.empty();
    std::string content = task_text(lease.agent);
    // The task was replaced by a recall, so its content is unknown.
    if (kind_of_task(content) != AgentFiles::Task::content) content.clear();
    return submissions_.recover(id, lease.by_file, {lease.wants_agent, lease.wants_failures},
                                {std::move(content), schema_text(lease.agent)});
}

// The files of a daemon that kept no leases, or that was killed while it sent a heartbeat or a kick.
void Recovery::recover_unleased(const std::string& agent, AgentFiles found) {
    if (found.task != AgentFiles::Task::none) found.task = kind_of_task(task_text(agent));
    RecoveredState state = classify(found);
    if (state != RecoveredState::at_work) return deal_with(state, agent);
    bool is_task = found.task == AgentFiles::Task::content;
    auto timeout = is_task ? pool_protocol::content_timeout(task_text(agent)) : std::nullopt;
    pool_protocol::Ready ready = agents_.recover(agent, all_ended_).ready;
    std::optional<pool::Duration> span = is_task ? config_.task_timeout : config_.idle_timeout;
    at_work_.push_back({agent,
                        std::nullopt,
                        std::nullopt,
                        from_now(timeout ? timeout : span),
                        {},
                        ready.ends_when_told,
                        false,
                        false,
                        {},
                        ready.labels});
}

void Recovery::deal_with(RecoveredState state, const std::string& agent) {
    if (state == RecoveredState::gone) agents_.forget(agent);
    if (state == RecoveredState::kicked) agents_.forget_soon(agent);
}

std::string Recovery::task_text(const std::string& agent) const {
    auto text = files_.agents.read(file_name(agent, FileKind::task), max_message_bytes_ + 1);
    return text.has_value() ? std::move(*text) : std::string();
}

std::string Recovery::schema_text(const std::string& agent) const {
    auto text = files_.agents.read(file_name(agent, FileKind::schema), max_message_bytes_);
    return text.has_value() ? std::move(*text) : std::string();
}

// Task files and schemas in scratch/ belong to the dead daemon. Any other file may be about to be moved by
// its owner, or be the content of a request.
void Recovery::clear_scratch() {
    for (const std::string& name : names_in(files_.scratch)) {
        auto file = pool_protocol::parse_file_name(name);
        if (!file || (file->kind != FileKind::task && file->kind != FileKind::schema)) continue;
        if (auto removed = files_.scratch.remove(name); removed.has_error())
            io::log::warn(removed.error().message);
    }
}

}  // namespace pool_daemon
