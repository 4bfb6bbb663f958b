// Files that are nobody's in the pool's folders, which the daemon leaves alone, and whether anything else is
// left when everybody has gone.
#pragma once

#include "pool_protocol/pool_directory.hpp"

#include <map>
#include <string>

namespace model {

class Strangers {
  public:
    // Puts the files there.
    explicit Strangers(const pool_protocol::PoolDirectory& directory);
    // Throws sim::Broken.
    void check_nothing_else_is_left() const;

  private:
    void check_folder(const std::string& folder) const;
    void check_leases() const;

    pool_protocol::PoolDirectory directory_;
    std::map<std::string, std::string> files_;  // paths and texts
};

}  // namespace model
