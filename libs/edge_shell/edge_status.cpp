// What an edge tells of itself and of other hosts.
#include "edge_shell/edge.hpp"
#include "edge_shell/edge_id.hpp"
#include "io/log.hpp"

#include <algorithm>
#include <utility>

namespace edge_shell {

namespace submitter_side = edge::submitter_side;

pool_protocol::EngineStatus Edge::status() const {
    pool_protocol::EngineStatus status;
    status.name = engine_->name();
    status.edge = self_;
    status.is_connected = connection_.is_up;
    if (connection_.since)
        status.since = std::chrono::floor<pool_protocol::UnixTime>(connection_.since->time_since_epoch());
    status.problem = connection_.problem;
    status.lag = engine_->lag();
    status.leases = agents_->notes().size();
    for (const auto& [id, submission] : submitters_->state().submissions) {
        if (!submitters_->is_open(id)) continue;
        ++status.submissions;
        if (submission.owner && submission.owner->edge != self_) status.elsewhere.push_back(id);
    }
    status.kept_answers = kept_answers();
    const edge::agent_side::Statistics& agents = agents_->state().statistics;
    const submitter_side::Statistics& submitters = submitters_->state().statistics;
    status.counts = {agents.claimed,
                     agents.surplus,
                     agents.redelivered,
                     agents.released,
                     agents.owners_lost + submitters.owners_lost,
                     agents.leases_lost,
                     agents.late_answers,
                     submitters.published,
                     submitters.published_again};
    return status;
}

std::size_t Edge::kept_answers() const {
    auto is_answered = [](const auto& entry) {
        return entry.second.phase == edge::agent_side::Phase::answering;
    };
    return static_cast<std::size_t>(std::ranges::count_if(agents_->state().tasks, is_answered));
}

bool Edge::has_submissions() const {
    return std::ranges::any_of(submitters_->state().submissions,
                               [this](const auto& entry) { return submitters_->is_open(entry.first); });
}

std::vector<edge::TaskId> Edge::submissions(bool with_host) const {
    std::vector<TaskId> ids;
    for (const auto& [id, submission] : submitters_->state().submissions)
        if (submitters_->is_open(id) && submission.owner.has_value() == with_host) ids.push_back(id);
    return ids;
}

void Edge::ask_hosts(Engine::Patience patience,
                     std::function<void(std::vector<pool_protocol::HostStatus>)> done) {
    engine_->ask_all(patience, [this, done = std::move(done)](const std::vector<std::string>& replies) {
        std::vector<pool_protocol::HostStatus> hosts;
        for (const std::string& reply : replies)
            if (!json::check(reply)) hosts.push_back(pool_protocol::read_host_status(json::View::of(reply)));
        look_for_twin(hosts);
        done(std::move(hosts));
    });
}

// Two edges of one id take each other's claims for their own.
void Edge::look_for_twin(const std::vector<pool_protocol::HostStatus>& hosts) {
    auto count = std::ranges::count(hosts, self_.text(), &pool_protocol::HostStatus::edge);
    if (count < 2 || std::exchange(has_told_of_twin_, true)) return;
    io::log::error("another host of the pool has the id ", self_,
                   " as well, and their tasks get lost: on the one whose pool was copied, stop it, remove ",
                   edge_id_name, " and ", journal_name, " from its directory, and start it again");
}

}  // namespace edge_shell
