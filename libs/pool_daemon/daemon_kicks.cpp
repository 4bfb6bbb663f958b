// Agents that are kicked because somebody wants it.
#include "io/log.hpp"
#include "pool_daemon/daemon_impl.hpp"

#include <vector>

namespace pool_daemon {

pool_protocol::KickedAgent Daemon::Impl::kick_on_request(const pool::AgentId& id) {
    using How = pool_protocol::KickedAgent::How;
    pool_protocol::KickedAgent kicked{id.text(), agents_.name_or_id(id), How::dismissed};
    if (kicked.name == kicked.id) kicked.name.clear();
    const pool::Agent& agent = state_.agents.at(id);
    if (agent.state == pool::AgentState::ending) kicked.how = How::ending;
    if (kicked.how != How::dismissed) return kicked;
    if (agent.submission) kicked.how = agent.ends_when_told ? How::told : How::taken_from;
    io::log::info(agents_.display_name(id), " is kicked by request");
    if (kicked.how == How::taken_from) {
        note_last_error(id);
        edge_link_.release_unknown(id);
    }
    kick_is_requested_ = true;
    feed(pool::KickRequested{id});
    kick_is_requested_ = false;
    return kicked;
}

std::vector<pool_protocol::KickedAgent> Daemon::Impl::kick_all(const std::string& name_or_id) {
    std::vector<pool::AgentId> ids;
    for (const auto& [id, agent] : state_.agents)
        if (id.text() == name_or_id || agents_.name_or_id(id) == name_or_id) ids.push_back(id);
    std::vector<pool_protocol::KickedAgent> kicked;
    for (const pool::AgentId& id : ids)
        if (state_.agents.contains(id)) kicked.push_back(kick_on_request(id));
    return kicked;
}

}  // namespace pool_daemon
