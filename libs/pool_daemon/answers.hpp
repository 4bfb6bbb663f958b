// Prepares answers for their submitters.
#pragma once

#include "pool/delivery.hpp"
#include "pool_protocol/answer.hpp"

#include <string>

namespace pool_daemon {

// Whether a submitter that comes back gets this answer again. After `stopped` it wants the work to be done
// instead.
bool is_kept(const pool_protocol::Answer& answer);

// The answer's JSON for the submitters that wait. `last_error`: the last message of an agent about why it
// cannot do the task.
std::string json_for_submitters(pool_protocol::Answer answer, const pool::SubmissionId& id,
                                const pool::delivery::Waiting& waiting, std::string last_error);

}  // namespace pool_daemon
