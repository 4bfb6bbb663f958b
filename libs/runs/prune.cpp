#include "runs/prune.hpp"

#include "base/number.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace runs {

namespace {

std::optional<std::chrono::seconds> unit_of(char letter) {
    using namespace std::chrono;
    switch (letter) {
        case 's':
            return seconds(1);
        case 'm':
            return minutes(1);
        case 'h':
            return hours(1);
        case 'd':
            return days(1);
        case 'w':
            return weeks(1);
        default:
            return std::nullopt;
    }
}

bool may_be_removed(const PruneCandidate& run, const PruneRule& rule) {
    if (is_living(run.state)) return false;
    return !run.is_resumable || rule.older_than;
}

// `chosen`: with the oldest last. Keeps the newest of them for which there is room.
void spare_what_fits(std::vector<std::size_t>& chosen, const std::vector<PruneCandidate>& runs,
                     std::uint64_t max_bytes) {
    std::uint64_t all = 0;
    for (const PruneCandidate& run : runs)
        all += run.bytes;
    std::size_t removed = 0;
    for (; removed < chosen.size() && all > max_bytes; ++removed)
        all -= runs[chosen[chosen.size() - 1 - removed]].bytes;
    chosen.erase(chosen.begin(), chosen.end() - static_cast<std::ptrdiff_t>(removed));
}

}  // namespace

std::optional<Age> parse_age(std::string_view text) {
    constexpr std::chrono::seconds longest = std::chrono::weeks(10'000);
    if (text.empty()) return std::nullopt;
    auto unit = unit_of(text.back());
    auto count = base::parse_number<std::uint32_t>(text.substr(0, text.size() - 1));
    if (!unit || !count || longest / *unit < *count) return std::nullopt;
    return *unit * *count;
}

std::vector<std::size_t> runs_to_prune(const std::vector<PruneCandidate>& runs, const PruneRule& rule,
                                       Time now) {
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < runs.size(); ++i)
        if (may_be_removed(runs[i], rule)) chosen.push_back(i);
    std::ranges::sort(chosen, {}, [&](std::size_t i) {
        return std::pair(-runs[i].started.time_since_epoch(), i);  // the newest first
    });
    std::size_t kept = std::min(rule.keep.value_or(0), chosen.size());
    chosen.erase(chosen.begin(), chosen.begin() + static_cast<std::ptrdiff_t>(kept));
    Age least = rule.older_than.value_or(rule.keep || rule.max_bytes ? Age(0) : default_age);
    std::erase_if(chosen, [&](std::size_t i) { return now - runs[i].ended < least; });
    if (rule.max_bytes) spare_what_fits(chosen, runs, *rule.max_bytes);
    std::ranges::sort(chosen);
    return chosen;
}

}  // namespace runs
