// The types of the ids and names that submitters exchange with a pool, so that they cannot be mixed up.
#pragma once

#include "base/id.hpp"
#include "base/pool_types.hpp"

namespace pool_protocol {

using base::SubmissionId;  // as text it fits the rules of pool_protocol::is_id
// What a submitter is told of an agent: the agent's name, or its id if it has no name; empty if it is not
// known.
using AgentName = base::TextId<struct AgentNameTag>;

}  // namespace pool_protocol
