// Answers of a pool as outcomes in a task's record, and back. Pure.
#pragma once

#include "edge/engine.hpp"
#include "pool_protocol/answer.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace edge_shell {

struct AnswerText {
    edge::Outcome outcome{};
    std::string text;  // the answer's JSON
};

// An answer that has more than `max_bytes` as text is replaced by a refusal that says so.
AnswerText to_outcome(pool_protocol::Answer answer, std::size_t max_bytes);

// `text` may be of any content: that of the record's entry, or the reason of an engine that has refused the
// task.
pool_protocol::Answer to_answer(edge::Outcome outcome, std::string_view text);

}  // namespace edge_shell
