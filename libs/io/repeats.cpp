#include "io/repeats.hpp"

#include <algorithm>

namespace io {

bool Repeats::is_repeated(std::string_view text, Time now) {
    auto known = new_at_.find(text);
    if (known != new_at_.end() && now - known->second < interval_) return true;
    if (known == new_at_.end()) {
        make_room(now);
        known = new_at_.emplace(text, now).first;
    }
    known->second = now;
    return false;
}

void Repeats::make_room(Time now) {
    if (new_at_.size() < most_) return;
    std::erase_if(new_at_, [&](const auto& known) { return now - known.second >= interval_; });
    if (new_at_.size() < most_) return;
    new_at_.erase(std::ranges::min_element(new_at_, {}, [](const auto& known) { return known.second; }));
}

}  // namespace io
