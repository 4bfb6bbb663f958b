#include "pool_daemon/missing_agents.hpp"

#include "base/text.hpp"
#include "io/log.hpp"
#include "pool_daemon/pool_clock.hpp"
#include "pool_protocol/agent_away.hpp"
#include "pool_protocol/unmatched.hpp"

#include <algorithm>
#include <utility>

namespace pool_daemon {

using Clock = std::chrono::steady_clock;

namespace {

constexpr std::chrono::seconds agents_wait{5};  // before a warning that there are none
// The time before that warning after the last agent has left. An agent whose command fails pauses for up
// to half of this.
constexpr std::chrono::seconds agents_rest{10};
// The time between looks at tasks that wait in the engine.
constexpr std::chrono::seconds between_looks{10};

// "attach one with `troupe agent --pool reviews --label gpu --kind claude`, or with `--exec CMD`"
std::string advice(const pool_protocol::PoolDirectory& directory, const base::Labels& labels) {
    std::string options = pool_protocol::options_of(directory);
    if (labels.has(base::shell_label)) {
        for (const std::string& label : labels.texts())
            if (label != base::shell_label) options += base::concat(" --label ", label);
        return base::concat("; attach one with `troupe agent ", options, " --kind shell`");
    }
    if (!labels.empty()) options += base::concat(" --label ", labels.joined(" --label "));
    return base::concat("; attach one with `troupe agent ", options, " --kind claude`, or with `--exec CMD`");
}

using Hosts = std::vector<pool_protocol::HostStatus>;

std::vector<base::Labels> labels_on(const Hosts& hosts) {
    std::vector<base::Labels> all;
    for (const pool_protocol::HostStatus& host : hosts)
        if (host.labels) all.insert(all.end(), host.labels->begin(), host.labels->end());
    return all;
}

// None if a host did not say.
std::optional<std::vector<base::Labels>> all_labels_on(const Hosts& hosts) {
    if (!std::ranges::all_of(hosts, [](const auto& host) { return host.labels.has_value(); }))
        return std::nullopt;
    return labels_on(hosts);
}

}  // namespace

MissingAgents::MissingAgents(const pool::State& state, AwayAgents& away, Submissions& submissions,
                             TimerQueue& timers, pool_protocol::PoolDirectory directory, bool is_private)
    : state_(state),
      away_(away),
      submissions_(submissions),
      timers_(timers),
      directory_(std::move(directory)),
      is_private_(is_private) {}

void MissingAgents::before_event() {
    if (!state_.agents.empty()) agent_seen_ = Clock::now();
}

bool MissingAgents::lacks_agents() const {
    // Agents of the kind shell take no tasks without labels.
    return state_.agents.empty() ? state_.line.queued() > 0 : state_.line.is_unmatched({});
}

void MissingAgents::after_event() {
    if (is_private_ || was_told_ || !lacks_agents() || std::exchange(is_watching_, true)) return;
    timers_.after(agents_wait, [this] {
        is_watching_ = false;
        if (!lacks_agents() || was_told_) return;
        if (state_.agents.empty() && agent_seen_ && Clock::now() - *agent_seen_ < agents_rest)
            return after_event();
        was_told_ = true;
        const bool is_none = state_.agents.empty();
        std::string_view other = is_none ? "" : " of another kind than shell";
        std::size_t tasks = is_none ? state_.line.queued() : state_.line.count_queued_with({});
        io::log::warn(base::counted(tasks, "task"), " waiting, and no agent", other,
                      " is attached to the pool in ", directory_.path, what_helps(labels_of_first()));
    });
}

// Of the task that would be assigned first. Without labels: agents are attached, but only shell agents.
base::Labels MissingAgents::labels_of_first() const {
    auto first = state_.agents.empty() ? state_.line.first_queued() : std::nullopt;
    return first ? state_.submissions.at(first->submission).labels : base::Labels();
}

// Agents that are away will be back, so nobody need attach others.
std::string MissingAgents::what_helps(const base::Labels& labels) {
    const std::string& away = away_.text(labels);
    if (!away.empty()) return base::concat(labels.empty() ? "; " : "; of those that fit, ", away);
    return is_private_ ? "" : advice(directory_, labels);
}

void MissingAgents::tell(const pool::ReportUnmatched& action) {
    std::string lack = action.labels.empty()
                           ? "takes tasks without labels"
                           : "has " + pool_protocol::missing_text(action.labels, action.missing);
    io::log::warn(base::counted(action.tasks, "task"), " waiting, and no agent ", lack,
                  edge_ ? " on any host of the pool in " : " in the pool in ", directory_.path,
                  what_helps(action.labels));
}

void MissingAgents::tell(const pool::TellUnmatched& action) {
    auto needs = submissions_.needs(action.submission);
    if (!needs || needs->labels.empty()) return;
    submissions_.tell_unmatched({action.submission, action.missing, away_.text(needs->labels)});
}

void MissingAgents::watch_all_hosts() {
    if (is_private_ || std::exchange(watches_all_hosts_, true)) return;
    timers_.after(between_looks, [this] {
        watches_all_hosts_ = false;
        look_at_waiting();
    });
}

void MissingAgents::look_at_waiting() {
    see_waiting();
    if (!edge_->has_submissions()) return;
    watch_all_hosts();
    if (!edge_->is_connected() || !on_all_hosts_.wants_to_ask(pool_now())) return;
    auto judge = [this](const Hosts& hosts) {
        auto found = on_all_hosts_.answered(waiting_in_engine(), all_labels_on(hosts), pool_now());
        for (const pool::ReportUnmatched& report : found.reports)
            tell(report);
        for (const pool::TellUnmatched& action : found.tells)
            tell(action);
    };
    edge_->ask_hosts(edge_shell::Engine::Patience::full, std::move(judge));
}

// The agent that has a task has its labels.
void MissingAgents::see_waiting() {
    on_all_hosts_.look(waiting_in_engine(), pool_now());
    std::vector<base::Labels> offered;
    for (const pool::SubmissionId& id : edge_->with_hosts())
        if (auto needs = submissions_.needs(id)) offered.push_back(needs->labels);
    on_all_hosts_.known(offered, pool_now());
}

void MissingAgents::see_hosts(const Hosts& hosts) {
    see_waiting();
    on_all_hosts_.known(labels_on(hosts), pool_now());
}

pool::UnmatchedOnAllHosts::Waiting MissingAgents::waiting_in_engine() const {
    pool::UnmatchedOnAllHosts::Waiting waiting;
    for (const pool::SubmissionId& id : edge_->waiting())
        if (auto needs = submissions_.needs(id)) waiting.emplace(id, needs->labels);
    return waiting;
}

std::vector<pool_protocol::QueueStatus::Unmatched> MissingAgents::unmatched_in_engine() const {
    auto now =
        std::chrono::floor<pool_protocol::UnixTime>(std::chrono::system_clock::now().time_since_epoch());
    std::vector<pool_protocol::QueueStatus::Unmatched> all;
    for (auto& group : on_all_hosts_.unmatched()) {
        if (group.labels.empty()) continue;
        auto age = std::chrono::floor<pool_protocol::UnixTime>(pool_now() - group.since);
        all.push_back({std::move(group.labels), std::move(group.missing), group.tasks, now - age});
    }
    return all;
}

}  // namespace pool_daemon
