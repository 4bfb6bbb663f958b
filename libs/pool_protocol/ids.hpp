// The types of the ids and names that submitters exchange with a pool, so that they cannot be mixed up.
#pragma once

#include "base/id.hpp"

namespace pool_protocol {

// A submission's id, which its submitter chooses (pool_protocol::is_id).
using SubmissionId = base::TextId<struct SubmissionIdTag>;
// What a submitter is told of an agent: the agent's name, or its id if it has no name; empty if it is not
// known.
using AgentName = base::TextId<struct AgentNameTag>;

}  // namespace pool_protocol
