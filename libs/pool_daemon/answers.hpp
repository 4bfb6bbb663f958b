// Prepares answers for their submitters.
#pragma once

#include "pool/delivery.hpp"
#include "pool_protocol/answer.hpp"

#include <optional>
#include <string>

namespace pool_daemon {

// Whether a submitter that comes back gets this answer again. After `stopped` it wants the work to be done
// instead.
bool is_kept(const pool_protocol::Answer& answer);

// What is known of a submission's agents beside the answer.
struct Remarks {
    std::string last_error;  // the last message of an agent about why it cannot do the task; may be empty
    std::optional<pool_protocol::AgentReport>
        spent;  // the sums of all agents that have left without a response
};

// Adds what agents have used that have left the task. Of an agent that has responded, what it tells itself is
// not in it; of any other it is.
void add_spent(pool_protocol::Answer& answer, const pool_protocol::AgentReport& spent);

// The answer's JSON for the submitters that wait.
std::string json_for_submitters(pool_protocol::Answer answer, const pool::SubmissionId& id,
                                const pool::delivery::Waiting& waiting, Remarks remarks);

}  // namespace pool_daemon
