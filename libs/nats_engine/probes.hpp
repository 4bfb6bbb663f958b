// How a check finds out what the user may do: it publishes to subjects, and subscribes to others, of each
// kind that a pool uses, in a way that changes nothing. The server complains of those that are not permitted.
// Pure.
#pragma once

#include "edge/engine.hpp"
#include "edge_shell/finding.hpp"
#include "nats_engine/names.hpp"

#include <set>
#include <string>
#include <vector>

namespace nats_engine {

struct Publication {
    std::string subject;
    std::string headers;  // a block (nats/headers); may be empty
    std::string payload;
    std::string permission;  // the pattern to permit, as in docs/hosts.md
};
// No message is stored, nothing is removed or created, and no host is disturbed.
std::vector<Publication> tried_publications(const Names& names, const edge::EdgeId& self);

struct TriedSubscription {
    std::string subject;
    std::string permission;
    bool is_needed;  // otherwise what it tells is found out later
};
std::vector<TriedSubscription> tried_subscriptions(const Names& names, const edge::EdgeId& self);

// `refused`: the subjects of which the server complained.
edge_shell::Finding permissions_finding(const std::vector<Publication>& publications,
                                        const std::set<std::string>& refused_publications,
                                        const std::vector<TriedSubscription>& subscriptions,
                                        const std::set<std::string>& refused_subscriptions);

}  // namespace nats_engine
