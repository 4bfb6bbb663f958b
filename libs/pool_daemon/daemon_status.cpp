// What the daemon tells about its pool.
#include "pool_daemon/daemon_impl.hpp"

#include <utility>
#include <vector>

namespace pool_daemon {

void Daemon::Impl::report_status(const std::shared_ptr<io::FramedSocket>& connection,
                                 const pool_protocol::StatusRequest& request) {
    connection->expect_reply();
    if (edge_ && request.wants_hosts) return report_hosts(connection, request.id);
    if (edge_) missing_agents_.see_waiting();
    connection->send(to_json(status(), request.id));
}

pool_protocol::Status Daemon::Impl::status() const {
    StatusFacts facts{directory_, started_, refused(), away_.all()};
    auto status = describe(state_, agents_, facts, pool_now(), std::chrono::system_clock::now());
    status.version = version_;
    if (!is_private_) status.total = total_.total();
    if (!edge_) return status;
    status.engine = edge_->status();
    for (auto& queued : missing_agents_.unmatched_in_engine())
        status.queue.unmatched.push_back(std::move(queued));
    return status;
}

// The other hosts' answers take a moment, in which the client may go.
void Daemon::Impl::report_hosts(const std::shared_ptr<io::FramedSocket>& connection,
                                const std::optional<std::string>& id) {
    auto report = [this, connection, id](std::vector<pool_protocol::HostStatus> hosts) {
        missing_agents_.see_hosts(hosts);
        pool_protocol::Status all = status();
        all.engine->hosts = std::move(hosts);
        connection->send(to_json(all, id));
    };
    edge_->ask_hosts(edge_shell::Engine::Patience::brief, std::move(report));
}

}  // namespace pool_daemon
