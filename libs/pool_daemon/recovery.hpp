// What a daemon that was killed has left: who is at work on what (R17). Looked at once, when the directories
// are watched already and nobody is served yet; what is left after it is for the ordinary look through them.
#pragma once

#include "pool/machine.hpp"
#include "pool/remains.hpp"
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
    Recovery(const PoolFiles& files, Leases& leases, Agents& agents, Submissions& submissions,
             const pool::Config& config, std::size_t max_message_bytes, bool all_ended);

    // The agents that are at work, told to Agents and Submissions, for the machine to hear of. Removes the
    // files of agents that are not, and begins the new file of leases.
    base::Result<std::vector<pool::Recovered>> run();

  private:
    void look_at_agents();
    void recover_leased(pool_protocol::Lease lease);
    void recover_unleased(const std::string& agent, const pool::Traces& traces);
    void deal_with(pool::Remains remains, const std::string& agent);
    std::string task_text(const std::string& agent) const;
    void clear_scratch();

    const PoolFiles& files_;
    Leases& leases_;
    Agents& agents_;
    Submissions& submissions_;
    const pool::Config& config_;
    std::size_t max_message_bytes_;
    bool all_ended_;
    std::unordered_map<std::string, pool::Traces> traces_;  // by agent
    std::vector<pool_protocol::Lease> standing_;
    std::vector<pool::Recovered> at_work_;
};

}  // namespace pool_daemon
