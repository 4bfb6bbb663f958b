// Which runs `barnum prune` removes (docs/runs.md, "Removing runs"). Pure.
#pragma once

#include "runs/run_record.hpp"
#include "runs/run_state.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace runs {

using Age = std::chrono::milliseconds;

// "30d": a whole number with s, m, h, d or w; at most 10,000 weeks. Nothing for any other text.
std::optional<Age> parse_age(std::string_view text);

// The age if there is no rule at all.
inline constexpr Age default_age = std::chrono::hours(24 * 30);

struct PruneRule {
    std::optional<Age> older_than =
        std::nullopt;  // if it is given, runs that can be resumed are removed as well
    std::optional<std::size_t> keep = std::nullopt;
    // The limit for all runs together, also those that stay for other reasons: the oldest go, until they take
    // less.
    std::optional<std::uint64_t> max_bytes = std::nullopt;
};

struct PruneCandidate {
    RunState state = RunState::finished;
    bool is_resumable = false;
    Time started;
    Time ended;               // of a run that was killed: when it was last known to live
    std::uint64_t bytes = 0;  // that it takes on the disk
};

// The indices of the runs to remove, in the given order. Never one that lives. A run that another one
// resumed is removed before or together with that one.
std::vector<std::size_t> runs_to_prune(const std::vector<PruneCandidate>& runs, const PruneRule& rule,
                                       Time now);

}  // namespace runs
