// The dropped tasks of a trace as JSON, each with the failure of its last attempt. Pure: lines are read
// through a function.
#pragma once

#include "base/error.hpp"
#include "trace/read_line.hpp"
#include "trace/trace.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace trace {

struct DroppedWanted {
    std::optional<std::uint16_t> step = {};  // its index in the config; none: all steps
    std::size_t skipped = 0;
    std::size_t most = SIZE_MAX;
    std::size_t most_message = SIZE_MAX;  // bytes of a message; a longer one is cut
};

// An object for each, in the order of their ends, the last one first: {"id":12,"step":"Fail","finally":false,
// "attempts":2,"reason":…,"message":…,…}. Fails if a line cannot be read.
base::Result<std::vector<std::string>> dropped_json(const Trace& trace, const ReadLine& read_line,
                                                    const DroppedWanted& wanted = {});

}  // namespace trace
