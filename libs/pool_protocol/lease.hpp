// Which agent has which task until when, as a line of the file `leases`, which only the daemon uses. It is
// written before the agent can see the task, so that a daemon knows it after a kill and a restart. Pure.
#pragma once

#include "base/labels.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pool_protocol {

struct Lease {
    std::string agent;
    std::optional<std::string> submission;  // none: it had no id, and its submitter can't ask again
    bool by_file = false;                   // submitted by a request file, and by nothing else
    std::chrono::milliseconds assigned{};   // Unix time
    std::optional<std::chrono::milliseconds> timeout;  // from `assigned` on; none: no limit
    bool wants_failures = false;                       // see Request
    base::Labels labels = {};                          // of the submission
    bool wants_agent = false;                          // see Request
    std::int32_t priority = 0;                         // of the submission
};

// The format of the file moves with each change, also one that only adds something (docs/operations.md,
// "Formats"). Format 1 has no number in the file.
inline constexpr int leases_format = 2;

// The first line of the file: its format, and the version of the program that has written it.
struct LeasesFormat {
    int number = 1;
    std::string version;
};

// The line without a newline.
std::string to_line(const LeasesFormat& format);
// Nothing if the line is not one of to_line().
std::optional<LeasesFormat> parse_leases_format(std::string_view line);

// Longer than any line. A part of a page, because a SIGKILL can interrupt a write between two pages.
inline constexpr std::size_t lease_size = 2048;

// The line without a newline.
std::string to_line(const Lease& lease);
// Nothing if the line is not a lease, such as the empty line of a free slot.
std::optional<Lease> parse_lease(std::string_view line);

// What is left of the timeout at `now` (Unix time): never negative, and never more than the timeout, even if
// the clock was set back.
std::optional<std::chrono::milliseconds> time_left(const Lease& lease, std::chrono::milliseconds now);

}  // namespace pool_protocol
