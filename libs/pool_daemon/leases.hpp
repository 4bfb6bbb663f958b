// Who has which task, in the pool's file daemon.leases, so that it outlives the daemon. A lease is a
// line in a slot of its own: taken with one system call before the agent can see its task, given back with
// one after the agent's files are gone. Kept by the kernel, not forced to the disk: agents don't outlive the
// machine either.
#pragma once

#include "pool_daemon/pool_files.hpp"
#include "pool_protocol/lease.hpp"

#include <string>
#include <unordered_map>
#include <vector>

namespace pool_daemon {

class Leases {
  public:
    explicit Leases(const PoolFiles& files) : files_(files) {}

    // What the daemon before this one has left.
    std::vector<pool_protocol::Lease> read() const;
    // Puts a new file in place, with those that still stand. Nothing can be taken before.
    base::Result<void> begin(const std::vector<pool_protocol::Lease>& standing);
    // Puts a new file in place of one that was removed, with all that are held now.
    base::Result<void> write_again();

    base::Result<void> take(pool_protocol::Lease lease);
    // Its submission was withdrawn: the agent keeps its task, and what it answers is nobody's, after a
    // restart too.
    void disown(const std::string& agent);
    // Of an agent that has none it does nothing.
    void give_back(const std::string& agent);

  private:
    struct Held {
        std::size_t slot;
        pool_protocol::Lease lease;
    };

    const PoolFiles& files_;
    io::UniqueFd file_;
    std::unordered_map<std::string, Held> held_;  // by agent
    std::vector<std::size_t> free_;
    std::size_t slots_ = 0;
};

}  // namespace pool_daemon
