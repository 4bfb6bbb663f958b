// The counts of a pool: in its status, and in its file `counts`, which survives daemons. Pure.
#pragma once

#include "json/json.hpp"
#include "pool_protocol/unix_time.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pool_protocol {

struct StatusCounts {
    std::uint64_t submitted = 0;
    std::uint64_t recovered = 0;
    std::uint64_t processed = 0;
    std::uint64_t timed_out = 0;
    std::uint64_t stopped = 0;
    std::uint64_t withdrawn = 0;
    std::uint64_t invalid = 0;  // refused requests
    std::uint64_t handed_back = 0;
    std::uint64_t kicked = 0;
    std::uint64_t failed = 0;
    std::uint64_t died = 0;  // agents that died while they worked

    friend bool operator==(const StatusCounts&, const StatusCounts&) = default;
};

StatusCounts sum_of(StatusCounts counts, const StatusCounts& others);

// {"submitted":…,"recovered":…,…}
std::string to_json(const StatusCounts& counts);
// Members that are absent or of another type read as zero.
StatusCounts counts_in(json::View object);

// The counts of all daemons that have served the pool.
struct TotalCounts {
    UnixTime since{};  // when the first of them started
    StatusCounts counts;
};

// {"since":…,"counts":{…}}
std::string to_json(const TotalCounts& total);
// Nothing if it is no object with `since`.
std::optional<TotalCounts> total_counts_in(json::View object);
std::optional<TotalCounts> parse_total_counts(std::string_view text);

}  // namespace pool_protocol
