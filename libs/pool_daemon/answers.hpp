// What of an answer its submitters get to see.
#pragma once

#include "pool/delivery.hpp"
#include "pool_protocol/messages.hpp"

#include <string>

namespace pool_daemon {

// Whether a submitter that comes back is given this answer again: one that comes back after `stopped` wants
// the work done.
bool is_kept(const pool_protocol::Answer& answer);

// The answer's JSON for those who wait. `last_error`: what an agent last said of why it can't do the task.
std::string json_for_submitters(pool_protocol::Answer answer, const pool::SubmissionId& id,
                                const pool::delivery::Waiting& waiting, std::string last_error);

}  // namespace pool_daemon
