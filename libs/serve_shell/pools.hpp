// The status of all pools of this user for `barnum serve`: asked once a second while somebody watches. No
// daemon is started by that. The other hosts of a pool over many hosts are asked less often, because that is
// work for each of them.
#pragma once

#include "io/bell.hpp"
#include "pool_client/status_query.hpp"
#include "pool_protocol/status.hpp"
#include "serve/kept_hosts.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace serve_shell {

// To be used from the executor's thread only.
class PoolsWatch {
  public:
    // `root`: --root; if empty, that of the environment.
    PoolsWatch(const boost::asio::any_io_executor& executor, std::string root)
        : root_(std::move(root)), wake_(executor) {}

    // Watches until it is cancelled.
    boost::asio::awaitable<void> run();

    // Rings when the status of a pool has changed, for as long as the result exists.
    io::Bells::Watch watch(io::Bell& bell);

    // {"pools":[…]} as it was when they were asked last; and the number of changes before.
    const std::string& json() const { return json_; }
    std::uint64_t version() const { return version_; }

    // Asks all pools now, for 2 s at most: those that were found, and the JSON as above. What their other
    // hosts have said may be 5 s old; `hosts`: whether it is wanted.
    struct Asked {
        std::vector<pool_protocol::Status> served;
        std::string json;
    };
    boost::asio::awaitable<Asked> ask(pool_client::AskedHosts hosts);

  private:
    std::string root_;
    io::Bell wake_;
    io::Bells watchers_;
    std::string json_;
    std::uint64_t version_ = 0;
    serve::KeptHosts hosts_;
};

}  // namespace serve_shell
