#include "pool/hand_backs.hpp"

#include <algorithm>

namespace pool {

void AccountSuccesses::done(const std::string& account, Time assigned) {
    if (account.empty()) return;
    Time& last = last_.try_emplace(account, assigned).first->second;
    last = std::max(last, assigned);
}

// Tasks that were under way when an outage began may still be done, so they prove nothing.
bool AccountSuccesses::is_at_fault(HandBacks& so_far, const std::string& account, const std::string& reason,
                                   Time now) const {
    if (so_far.account != account || so_far.reason != reason) so_far = {account, reason, 0, now};
    ++so_far.count;
    auto last = last_.find(account);
    if (so_far.count < max_hand_backs || last == last_.end() || last->second < so_far.since) return false;
    so_far = HandBacks();
    return true;
}

}  // namespace pool
