// Finds out which agents work on which tasks after an earlier daemon was killed. Runs once, when the
// directories are already watched and nothing is served yet; the normal scan handles the rest.
#pragma once

#include "edge_shell/edge.hpp"
#include "pool/agent_files.hpp"
#include "pool/machine.hpp"
#include "pool_daemon/agents.hpp"
#include "pool_daemon/leases.hpp"
#include "pool_daemon/pool_files.hpp"
#include "pool_daemon/submissions.hpp"

#include <string>
#include <unordered_map>
#include <vector>

namespace pool_daemon {

class Recovery {
  public:
    // `edge`: null if the pool has one host.
    Recovery(const PoolFiles& files, Leases& leases, Agents& agents, Submissions& submissions,
             const edge_shell::Edge* edge, const pool::Config& config, std::size_t max_message_bytes,
             bool all_ended);

    // Returns the agents that are at work; Agents and Submissions know them then. Removes the files of agents
    // that are not at work, and creates the new file of leases.
    base::Result<std::vector<pool::Recovered>> run();

  private:
    void look_at_agents();
    void recover_leased(pool_protocol::Lease lease);
    bool is_still_wanted(const pool_protocol::Lease& lease);
    void recover_unleased(const std::string& agent, pool::AgentFiles found);
    void deal_with(pool::RecoveredState state, const std::string& agent);
    std::string task_text(const std::string& agent) const;
    std::string schema_text(const std::string& agent) const;
    void clear_scratch();

    const PoolFiles& files_;
    Leases& leases_;
    Agents& agents_;
    Submissions& submissions_;
    const edge_shell::Edge* edge_;
    const pool::Config& config_;
    std::size_t max_message_bytes_;
    bool all_ended_;
    std::unordered_map<std::string, pool::AgentFiles> found_;  // by agent
    std::vector<pool_protocol::Lease> standing_;
    std::vector<pool::Recovered> at_work_;
};

}  // namespace pool_daemon
