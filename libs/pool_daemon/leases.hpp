// The leases: which agent has which task, in the pool's file `leases`, which survives the daemon. A lease is
// a line in a slot of its own, after the slot with the format. It is written with one system call before the
// agent can see its task, and cleared with one after the agent's files are removed. Not synced to the disk: a
// power failure ends the agents, too.
#pragma once

#include "pool_daemon/pool_files.hpp"
#include "pool_protocol/lease.hpp"

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace pool_daemon {

// Fails if the pool has leases of a format that this version does not know: it would give the tasks of agents
// that are at work to others.
base::Result<void> can_read_leases(const pool_protocol::PoolDirectory& directory, const PoolFiles& files,
                                   const std::string& version);

class Leases {
  public:
    // `version`: of this program, for the file.
    Leases(const PoolFiles& files, std::string version) : files_(files), version_(std::move(version)) {}

    // The leases that the previous daemon has left.
    std::vector<pool_protocol::Lease> read() const;
    // Creates a new file with the leases that are still valid, and keeps earlier versions out. Must be called
    // before take().
    base::Result<void> begin(const std::vector<pool_protocol::Lease>& standing);
    // Creates the file again after it was removed, with all current leases.
    base::Result<void> write_again();

    base::Result<void> take(pool_protocol::Lease lease);
    // Records that the submission was withdrawn: the agent keeps its task, but its answer is discarded, also
    // after a restart.
    void mark_withdrawn(const std::string& agent);
    // Has no effect if the agent has no lease.
    void give_back(const std::string& agent);

  private:
    struct Held {
        std::size_t slot;
        pool_protocol::Lease lease;
    };

    const PoolFiles& files_;
    std::string version_;
    io::UniqueFd file_;
    std::unordered_map<std::string, Held> held_;  // by agent
    std::vector<std::size_t> free_;
    std::size_t slots_ = 0;  // with the first one
};

}  // namespace pool_daemon
