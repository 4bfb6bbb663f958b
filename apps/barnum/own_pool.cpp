#include "own_pool.hpp"

#include "base/digest.hpp"
#include "base/text.hpp"
#include "pool_protocol/names.hpp"

namespace barnum {

// Another program's log may have any text for its run's id.
pool_protocol::PoolDirectory own_pool(const RunOptions& options, const std::string& run_id) {
    std::string name = base::concat(pool_protocol::run_pool_prefix, run_id);
    if (!pool_protocol::is_pool_id(name))
        name = base::concat(pool_protocol::run_pool_prefix, base::digest(run_id));
    return pool_protocol::locate(options.root, name).value();
}

}  // namespace barnum
