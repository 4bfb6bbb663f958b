// Tasks wait, and no agent can take them: told to the log and to submitters.
#include "base/text.hpp"
#include "io/log.hpp"
#include "pool_daemon/daemon_impl.hpp"
#include "pool_protocol/agent_away.hpp"
#include "pool_protocol/unmatched.hpp"

namespace pool_daemon {

using Clock = std::chrono::steady_clock;

namespace {

constexpr std::chrono::seconds agents_wait{5};  // before a warning that there are none
// The same after the last one has left. An agent whose command fails rests for up to half of this.
constexpr std::chrono::seconds agents_rest{10};

// "attach one with `troupe agent --pool reviews --label gpu --kind claude`, or with `--exec CMD`"
std::string advice(const pool_protocol::PoolDirectory& directory, const base::Labels& labels) {
    std::string options = pool_protocol::options_of(directory);
    if (!labels.empty()) options += base::concat(" --label ", labels.joined(" --label "));
    return base::concat("; attach one with `troupe agent ", options, " --kind claude`, or with `--exec CMD`");
}

}  // namespace

bool Daemon::Impl::lacks_agents() const {
    return state_.line.queued() > 0 && state_.agents.empty();
}

// Warns that tasks wait, but no agent was started.
void Daemon::Impl::watch_for_agents() {
    if (is_private_ || lack_logged_ || !lacks_agents() || std::exchange(watching_for_agents_, true)) return;
    timers_.after(agents_wait, [this] {
        watching_for_agents_ = false;
        if (!lacks_agents() || lack_logged_) return;
        if (agent_seen_ && Clock::now() - *agent_seen_ < agents_rest) return watch_for_agents();
        lack_logged_ = true;
        io::log::warn(base::counted(state_.line.queued(), "task"),
                      " waiting, and no agent is attached to the pool in ", files_.pool.path(),
                      what_helps({}));
    });
}

// Agents that are away will be back, so nobody need attach others.
std::string Daemon::Impl::what_helps(const base::Labels& labels) {
    const std::string& away = away_.text(labels);
    if (!away.empty()) return base::concat(labels.empty() ? "; " : "; of those that fit, ", away);
    return is_private_ ? "" : advice(directory_, labels);
}

void Daemon::Impl::perform(const pool::ReportUnmatched& action) {
    io::log::warn(base::counted(action.tasks, "task"), " waiting, and no agent has ",
                  pool_protocol::missing_text(action.labels, action.missing), " in the pool in ",
                  files_.pool.path(), what_helps(action.labels));
}

void Daemon::Impl::perform(const pool::TellUnmatched& action) {
    auto found = state_.submissions.find(action.submission);
    if (found == state_.submissions.end()) return;
    submissions_.tell_unmatched({action.submission, action.missing, away_.text(found->second.labels)});
}

}  // namespace pool_daemon
