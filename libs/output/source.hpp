// What wrote output: one phase of one attempt, and its line in the index (docs/output.md). Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace output {

struct Source {
    std::uint64_t number = 0;   // 1, 2, … in the run
    std::uint64_t task = 0;     // the number of the attempt's task
    std::string step;           // its name
    std::uint32_t attempt = 1;  // 1, 2, …
    std::string phase;          // "pre", "command", "pool", "post" or "finally"
    std::uint32_t segment = 1;  // that of its first record
    // So many of the first and the last bytes of each stream are kept; 0: all. None: an earlier version wrote
    // it.
    std::optional<std::uint64_t> limit = std::nullopt;

    friend bool operator==(const Source&, const Source&) = default;
};

// A JSON object, whose last member is a checksum, and a newline.
std::string index_line(const Source& source);
// The source that a line, with or without its newline, tells. Nothing if it is none, or if its checksum is
// wrong; lines of earlier versions have none. Unknown members are ignored.
std::optional<Source> parse_index_line(std::string_view line);

}  // namespace output
