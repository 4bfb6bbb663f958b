#include "agent_process.hpp"

#include "story.hpp"

namespace model {

void AgentProcess::connect() {
    connection_.emplace(socket_path_);
    connection_->send(to_json(pool_protocol::SessionGreeting{session_}));
}

void AgentProcess::close() {
    connection_.reset();
    is_greeted_ = false;
}

void AgentProcess::release(std::string_view agent, pool_protocol::Release::Reason reason) {
    pool_protocol::Release release;
    release.reason = reason;
    release.message = "for a reason";
    connection_->send(to_json(pool_protocol::AgentRelease{std::string(agent), std::move(release)}));
}

std::vector<pool_protocol::AgentKick> AgentProcess::receive() {
    std::vector<pool_protocol::AgentKick> kicks;
    if (!connection_) return kicks;
    bool is_open = connection_->receive();
    while (auto frame = connection_->next_frame()) {
        if (auto greeting = pool_protocol::parse_session_greeting(*frame);
            greeting && greeting->session == session_) {
            is_greeted_ = true;
            continue;
        }
        auto kick = pool_protocol::parse_agent_kick(*frame);
        must(kick.has_value(), session_, " receives what is not for agents: ", *frame);
        kicks.push_back(std::move(*kick));
    }
    if (!is_open) close();
    return kicks;
}

}  // namespace model
