// A cache of answers by submission id. A request with an id that was answered before is the same submission,
// and must not be executed again. In memory only; bounded, and cleaned up on use, so it needs no timer.
#pragma once

#include "pool/machine.hpp"

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

namespace pool {

class ReplyCache {
  public:
    static constexpr Duration lifetime = std::chrono::hours(1);
    static constexpr std::size_t max_ids = 100'000;
    static constexpr std::size_t max_text_bytes = std::size_t{16} << 20;  // of all answers together

    // An answer that is already stored for the id stays. `now` must not decrease.
    void remember(const SubmissionId& id, std::string answer_json, Time now);

    bool contains(const SubmissionId& id) const { return answers_.contains(id); }
    // Empty if the id is unknown, or if its answer was too old or too large to be kept.
    std::optional<std::string> answer(const SubmissionId& id) const;

  private:
    void drop_old(Time now);
    void make_room();

    std::unordered_map<SubmissionId, std::optional<std::string>> answers_;
    std::deque<std::pair<Time, SubmissionId>> by_age_;  // oldest first
    std::deque<SubmissionId> with_text_;                // ids whose answers are still stored, oldest first
    std::size_t text_bytes_ = 0;
};

}  // namespace pool
