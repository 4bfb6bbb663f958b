#include "serve/kept_hosts.hpp"

#include <catch2/catch.hpp>

using namespace std::chrono_literals;
using pool_protocol::HostStatus;
using pool_protocol::Status;
using serve::KeptHosts;

namespace {

constexpr KeptHosts::Time begin{1h};

Status pool(const std::string& path, std::vector<HostStatus> hosts = {}) {
    Status status;
    status.path = path;
    status.engine.emplace();
    status.engine->is_connected = true;
    status.engine->hosts = std::move(hosts);
    return status;
}

std::vector<HostStatus> hosts_of(const KeptHosts& kept, Status status, KeptHosts::Time now) {
    kept.add_to(status, now);
    return status.engine->hosts;
}

}  // namespace

TEST_CASE("hosts are asked every five seconds, however many look") {
    KeptHosts kept;
    CHECK(kept.take_turn(begin));
    CHECK_FALSE(kept.take_turn(begin));
    CHECK_FALSE(kept.take_turn(begin + 4999ms));
    CHECK(kept.take_turn(begin + 5s));
    CHECK_FALSE(kept.take_turn(begin + 9s));
}

TEST_CASE("what the hosts of a pool have said is added to its next statuses, and not for long") {
    KeptHosts kept;
    const std::vector<HostStatus> hosts{{"h1", 1, 2, 3, 4}, {"h2", 0, 0, 0, 0}};
    kept.keep(pool("/a", hosts), begin);
    kept.keep(pool("/b"), begin);
    CHECK(hosts_of(kept, pool("/a"), begin + 4s) == hosts);
    CHECK(hosts_of(kept, pool("/b"), begin + 4s).empty());
    CHECK(hosts_of(kept, pool("/c"), begin + 4s).empty());
    CHECK(hosts_of(kept, pool("/a"), begin + 10s) == hosts);
    CHECK(hosts_of(kept, pool("/a"), begin + 10001ms).empty());
    kept.keep(pool("/b", hosts), begin + 11s);
    CHECK(hosts_of(kept, pool("/b"), begin + 12s) == hosts);
}

TEST_CASE("a host without a connection knows of no others, and a pool with one host has none") {
    KeptHosts kept;
    kept.keep(pool("/a", {{"h1", 1, 2, 3, 4}}), begin);
    Status cut = pool("/a");
    cut.engine->is_connected = false;
    CHECK(hosts_of(kept, cut, begin + 1s).empty());
    Status single = pool("/a");
    single.engine.reset();
    kept.add_to(single, begin + 1s);
    CHECK_FALSE(single.engine);
    kept.keep(single, begin + 1s);
    CHECK(hosts_of(kept, pool("/a"), begin + 2s).size() == 1);
}
