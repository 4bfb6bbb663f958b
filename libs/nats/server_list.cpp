#include "nats/server_list.hpp"

#include <algorithm>

namespace nats {

ServerList::ServerList(std::vector<ServerAddress> configured, std::uint32_t seed) : random_(seed) {
    for (ServerAddress& address : configured)
        servers_.push_back({std::move(address), true});
    for (std::size_t i = servers_.size(); i > 1; --i)
        std::swap(servers_[i - 1], servers_[below(i)]);
}

std::size_t ServerList::below(std::size_t limit) {
    return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random_);
}

ServerList::Duration ServerList::between(Duration least, Duration most) {
    return Duration(std::uniform_int_distribution<Duration::rep>(least.count(), most.count())(random_));
}

ServerList::Duration ServerList::advance() {
    servers_.push_back(std::move(servers_.front()));
    servers_.pop_front();
    std::size_t attempt = attempts_++;
    std::size_t round = attempt / servers_.size();
    if (round == 0 || attempt % servers_.size() != 0) return between(Duration(0), between_servers);
    constexpr std::size_t most_doublings = 10;
    Duration most = std::min(between_servers * (1 << std::min(round, most_doublings)), longest_delay);
    return between(most / 2, most);
}

void ServerList::lost_after(Duration lasted) {
    if (lasted >= success) attempts_ = 0;
}

void ServerList::learn(const std::vector<std::string>& addresses) {
    std::vector<ServerAddress> announced;
    for (const std::string& text : addresses)
        if (auto address = parse_cluster_address(text, current())) announced.push_back(std::move(*address));
    if (announced.empty()) return;
    auto is_same_place = [](const ServerAddress& a, const ServerAddress& b) {
        return a.host == b.host && a.port == b.port;
    };
    const ServerAddress stays = current();
    std::erase_if(servers_, [&](const Server& server) {
        return !server.is_configured && !is_same_place(server.address, stays) &&
               std::none_of(announced.begin(), announced.end(),
                            [&](const ServerAddress& t) { return is_same_place(t, server.address); });
    });
    for (ServerAddress& address : announced) {
        bool is_known = std::any_of(servers_.begin(), servers_.end(), [&](const Server& server) {
            return is_same_place(server.address, address);
        });
        auto place = servers_.begin() + static_cast<std::ptrdiff_t>(below(servers_.size()));
        if (!is_known) servers_.insert(place, {std::move(address), false});
    }
}

}  // namespace nats
