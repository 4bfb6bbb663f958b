#include "pool_daemon/agents.hpp"

#include "base/text.hpp"
#include "io/log.hpp"
#include "json/json.hpp"
#include "pool_protocol/agent_label.hpp"
#include "pool_protocol/names.hpp"

namespace pool_daemon {

using pool_protocol::file_name;
using pool_protocol::FileKind;

namespace {

constexpr std::size_t max_reported_error = 3000;  // the maximum number of bytes of it that a submitter gets

bool is_missing(const base::Error& error) {
    return error.code == boost::system::errc::no_such_file_or_directory;
}

// Most control characters take six bytes in a JSON string.
bool fits_as_json(std::string_view text, std::size_t limit) {
    return text.size() <= limit / 6 || json::quoted_size(text) <= limit;
}

}  // namespace

Agents::Agents(const PoolFiles& files, Leases& leases, TimerQueue& timers, const AgentSessions& sessions,
               std::size_t max_message_bytes, Callbacks callbacks)
    : files_(files),
      leases_(leases),
      timers_(timers),
      sessions_(sessions),
      max_message_bytes_(max_message_bytes),
      callbacks_(std::move(callbacks)) {}

void Agents::ready_written(const AgentId& id, Source source) {
    if (kicked_.contains(id)) return;
    auto text = files_.agents.read(file_name(id, FileKind::ready), max_ready_bytes);
    if (text.has_error()) {
        if (io::is_temporary(text.error()))
            return timers_.after(file_retry_delay, [=, this] { ready_written(id, source); });
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
    if (!ready.labels_problem.empty())
        return io::log::warn("ignoring ",
                             pool_protocol::agent_label(ready.name.empty() ? id.text() : ready.name), ": ",
                             ready.labels_problem);
    // The agent has a task from another daemon. No submitter waits for the response, but the agent must not
    // get a second task.
    if (source == Source::scan && files_.agents.contains(file_name(id, FileKind::task))) return;
    KnownAgent agent;
    agent.name = ready.name;
    agent.session = ready.session;
    agent.locked = ready.locked;
    agent.keeps_lock = ready.keeps_lock;
    agent.wants_schema = ready.wants_schema;
    agent.reports = ready.reports;
    // An earlier daemon may have been killed before the agent could see the task that they belonged to.
    if (source == Source::scan && (agent.wants_schema || agent.reports)) remove_additions(id);
    known_.emplace(id, std::move(agent));
    io::log::debug([&] { return full_name(id); }, " is ready");
    callbacks_.on_ready(id, ready);
}

void Agents::released(const std::string& session, const pool_protocol::AgentRelease& release) {
    auto known = known_.find(release.agent);
    if (known == known_.end() || !known->second.has_task || known->second.session != session) return;
    released(release.agent, known->second, release.release);
}

void Agents::released(const AgentId& id, KnownAgent& agent, pool_protocol::Release release) {
    using Reason = pool_protocol::Release::Reason;
    std::string_view why = std::string_view(release.message).substr(0, max_reported_error);
    Reason reason = release.reason;
    std::string_view what = reason == Reason::handed_back ? " handed the task back: " : ": ";
    if (reason != Reason::ended && !why.empty()) agent.last_error = base::concat(display_name(id), what, why);
    if (reason == Reason::handed_back) io::log::warn(display_name(id), " hands its task back: ", why);
    if (reason == Reason::failed) io::log::debug([&] { return full_name(id); }, " failed: ", why);
    if (reason == Reason::ended) io::log::debug([&] { return full_name(id); }, " has ended its work");
    agent.release = std::move(release);
    callbacks_.on_release(id, reason);
}

void Agents::activity_told(const std::string& session, const pool_protocol::ActivityNotice& notice) {
    auto known = known_.find(notice.agent);
    if (known == known_.end() || !known->second.has_task || known->second.session != session) return;
    known->second.activity = notice.activity;
    callbacks_.on_activity(notice.agent);
}

void Agents::check_response(const AgentId& id) {
    if (files_.agents.contains(file_name(id, FileKind::response))) response_written(id);
}

void Agents::ready_removed(const AgentId& id) {
    if (kicked_.erase(id) > 0) return remove_files(id);
    auto known = known_.find(id);
    if (known == known_.end()) return;
    if (known->second.has_task && !known->second.recalled)
        io::log::warn(display_name(id), " removed its ready file; its task is queued again");
    callbacks_.on_left(id);
}

void Agents::find_departed(const std::unordered_set<std::string>& names) {
    std::vector<AgentId> departed;
    for (const auto& [id, agent] : known_) {
        std::string ready(file_name(id, FileKind::ready));
        // A name that is replaced at this moment may be missing from the list.
        if (!names.contains(ready) && !files_.agents.contains(ready)) departed.push_back(id);
    }
    for (const AgentId& id : departed)
        ready_removed(id);
}

void Agents::response_written(const AgentId& id) {
    auto known = known_.find(id);
    if (known == known_.end() || !known->second.has_task) return callbacks_.on_response(id);
    // The file may be written again, or its writer may not have released it yet: the kernel sends the event
    // first.
    auto text = files_.agents.read_finished(file_name(id, FileKind::response), max_message_bytes_);
    if (text.has_error()) {
        if (io::is_temporary(text.error()) || text.error().code == boost::system::errc::text_file_busy)
            return timers_.after(file_retry_delay, [=, this] { response_written(id); });
        if (is_missing(text.error())) return;
        if (text.error().code == boost::system::errc::file_too_large)
            return reject(id, known->second, text.error().message);
        return warn_once(id, known->second,
                         base::concat(" wrote a response that cannot be used: ", text.error().message));
    }
    if (text->empty())  // not an answer yet
        return warn_once(id, known->second, " wrote an empty response file; waiting for its content");
    if (!fits_as_json(*text, 2 * max_message_bytes_))
        return reject(id, known->second,
                      base::concat("its response of ", text->size(), " bytes is longer than ",
                                   2 * max_message_bytes_, " bytes as a JSON string"));
    if (known->second.reports) known->second.report = read_report(id);
    known->second.response = std::move(*text);
    callbacks_.on_response(id);
}

std::optional<pool_protocol::AgentReport> Agents::read_report(const AgentId& id) const {
    auto text = files_.agents.read(file_name(id, FileKind::report), pool_protocol::longest_report);
    if (text.has_error() && is_missing(text.error())) return std::nullopt;
    auto report = text.has_value() ? pool_protocol::parse_report(*text) : std::nullopt;
    if (!report)
        io::log::info(display_name(id), ": its report cannot be used: ",
                      text.has_error() ? text.error().message : "it is not valid");
    return report;
}

void Agents::addition_found(const AgentId& id) {
    if (!known_.contains(id) && !kicked_.contains(id)) remove_additions(id);
}

void Agents::reject(const AgentId& id, KnownAgent& agent, std::string problem) {
    io::log::warn(display_name(id), ": ", problem);
    agent.last_error = base::concat(display_name(id), ": ", problem);
    callbacks_.on_rejected(id);
}

void Agents::warn_once(const AgentId& id, KnownAgent& agent, std::string_view about) {
    if (!std::exchange(agent.warned, true)) io::log::warn(display_name(id), about);
}

std::string Agents::take_response(const AgentId& id) {
    return std::move(known_.at(id).response);
}

std::optional<pool_protocol::AgentReport> Agents::report(const AgentId& id) const {
    auto known = known_.find(id);
    return known == known_.end() ? std::nullopt : known->second.report;
}

std::optional<pool_protocol::AgentReport> Agents::last_report(const AgentId& id) const {
    if (auto told = release(id).report) return told;
    auto last = activity(id);
    if (!last) return std::nullopt;
    pool_protocol::AgentReport report;
    report.kind = "unknown";
    report.turns = last->turn;
    report.input_tokens = last->input_tokens;
    report.cached_tokens = last->cached_tokens;
    report.output_tokens = last->output_tokens;
    report.usd = last->usd;
    report.price_list = last->price_list;
    report.since = last->since;
    return report;
}

std::optional<pool_protocol::AgentActivity> Agents::activity(const AgentId& id) const {
    auto known = known_.find(id);
    return known == known_.end() ? std::nullopt : known->second.activity;
}

std::string Agents::display_name(const AgentId& id) const {
    return pool_protocol::agent_label(name_or_id(id));
}

// The name has the id, because several agents may have the same name.
std::string Agents::full_name(const AgentId& id) const {
    std::string given = name(id);
    return given.empty() ? pool_protocol::agent_label(id)
                         : base::concat(pool_protocol::agent_label(given), " (", id, ")");
}

std::string Agents::last_error(const AgentId& id) const {
    auto known = known_.find(id);
    return known == known_.end() ? std::string() : known->second.last_error;
}

pool_protocol::Release Agents::release(const AgentId& id) const {
    auto known = known_.find(id);
    return known == known_.end() ? pool_protocol::Release{} : known->second.release;
}

std::string Agents::name(const AgentId& id) const {
    auto known = known_.find(id);
    return known == known_.end() ? std::string() : known->second.name;
}

std::string Agents::name_or_id(const AgentId& id) const {
    std::string given = name(id);
    return given.empty() ? id.text() : given;
}

}  // namespace pool_daemon
