// The bounds of what a person may write, in a config and on a command line. What is beyond them nobody can
// mean: it is a slip, or a program that has made up a number. They are here and nowhere else. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

namespace base {

// The bounds of a duration, in seconds: a millisecond, and 31 years.
inline constexpr double least_seconds = 0.001;
inline constexpr double most_seconds = 1e9;

// The bounds of a price, in US dollars.
inline constexpr double least_dollars = 0.000'001;
inline constexpr double most_dollars = 1e9;

// The least part of a whole, which is at most 1.
inline constexpr double least_part = 0.001;

// The bounds of a message of a pool, and of a response. It must fit into memory several times.
inline constexpr std::int64_t least_message_bytes = 1000;
inline constexpr std::int64_t most_message_bytes = 1'000'000'000;

// The most that is kept on a disk.
inline constexpr std::uint64_t most_stored_bytes = 1'000'000'000'000'000'000;

// The length of a step's name, in characters. The names of runs, pools and labels are shorter: they become
// names of files.
inline constexpr std::size_t longest_name = 200;

// The most agents of one kind of a run or of one `troupe agent`.
inline constexpr std::int64_t most_agents = 10'000;

inline constexpr std::int64_t most_jobs = 100'000;
inline constexpr std::int64_t most_tokens = 1'000'000'000'000'000;
inline constexpr std::int64_t most_counted = std::numeric_limits<std::uint32_t>::max();

}  // namespace base
