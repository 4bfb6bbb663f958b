// The checksum at the end of each line of a state log (docs/state-log.md, "Checksums"):
// `,"checksum":"0123456789abcdef"}`, computed over the bytes before it. Handles bytes, not JSON.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace statelog {

// Completes the line that begins at `begin` of `out` and lacks only its closing brace: appends the checksum,
// the brace and a newline.
void end_line(std::string& out, std::size_t begin);

// What end_line() appends to the line that consists of these pieces.
std::string line_end(std::span<const std::string_view> line);

enum class Checksum { absent, right, wrong };

// `line` has no newline. The checksum is absent if the line does not end as above.
Checksum checksum_of(std::string_view line);

}  // namespace statelog
