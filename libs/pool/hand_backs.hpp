// Whether a task that is handed back again and again is itself the cause: the account of its agents does
// other tasks meanwhile. An outage, or a limit of the account, is not the task's. Pure.
#pragma once

#include <chrono>
#include <map>
#include <string>

namespace pool {

// The number of times in a row that a task is handed back with the same reason before it has failed.
inline constexpr int max_hand_backs = 5;

// How often one task was handed back in a row with the same reason by agents of one account.
struct HandBacks {
    std::string account;
    std::string reason;
    int count = 0;
    std::chrono::steady_clock::time_point since{};  // the first of them
};

// When the accounts that agents have named were given the last task that they have done.
class AccountSuccesses {
  public:
    using Time = std::chrono::steady_clock::time_point;

    void done(const std::string& account, Time assigned);
    // Counts that the task was handed back. Returns whether it has failed by that; then it counts from zero.
    bool is_at_fault(HandBacks& so_far, const std::string& account, const std::string& reason,
                     Time now) const;

  private:
    std::map<std::string, Time> last_;
};

}  // namespace pool
