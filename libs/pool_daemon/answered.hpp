// The ids that were answered lately, and the answers while there is room: an id that comes again is the same
// submission, never a second execution (R5). In memory only; bounded, and cleaned up when it is used, so that
// it wakes nobody.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <unordered_map>

namespace pool_daemon {

class Answered {
  public:
    void remember(const std::string& id, std::string answer_json);

    bool contains(const std::string& id) const { return answers_.contains(id); }
    // Nothing if the id is unknown, or its answer was too old or too large to be kept.
    std::optional<std::string> answer(const std::string& id) const;

  private:
    using Time = std::chrono::steady_clock::time_point;
    void drop_old(Time now);
    void make_room();

    std::unordered_map<std::string, std::optional<std::string>> answers_;
    std::deque<std::pair<Time, std::string>> by_age_;  // ids, oldest first
    std::deque<std::string> with_text_;                // ids whose answer is still there, oldest first
    std::size_t text_bytes_ = 0;
};

}  // namespace pool_daemon
