// What a check says of the parts of an engine, and what to do. Pure.
#pragma once

#include "edge/engine.hpp"
#include "edge_shell/finding.hpp"
#include "nats/api.hpp"
#include "nats/server_info.hpp"
#include "nats_engine/streams.hpp"

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace nats_engine {

// `about`: the address, as the user gave it. `round_trip`: of a PING.
edge_shell::Finding server_finding(const std::string& about, const nats::ServerInfo& info, bool uses_tls,
                                   std::chrono::microseconds round_trip);
// The servers that were reached, in their order.
std::vector<edge_shell::Finding> cluster_findings(const std::vector<nats::ServerInfo>& servers);
// `has_streams`: those of the pool are there already.
edge_shell::Finding account_finding(const nats::AccountInfo& account, bool has_streams);
// `longest_message`: in bytes.
edge_shell::Finding size_finding(std::size_t longest_message);
// About a stream that is there. The finding about both is problem_of().
edge_shell::Finding stream_finding(const FoundStream& stream);
// None if the pool's data need not be on more servers, or are.
std::optional<edge_shell::Finding> replicas_finding(const nats::StreamInfo& stream,
                                                    const nats::ServerInfo& server);
edge_shell::Finding queues_finding(const std::vector<nats::ConsumerInfo>& consumers, edge::Duration lease);

}  // namespace nats_engine
