// The checksum with which a line of a state log ends (docs/state-log.md, "Checksums"):
// `,"checksum":"0123456789abcdef"}`, of the bytes before it. Knows bytes, not JSON.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace statelog {

// Ends the line that begins at `begin` of `out` and lacks only its closing brace: checksum, brace, newline.
void end_line(std::string& out, std::size_t begin);

// What end_line() appends to a line of these pieces.
std::string line_end(std::span<const std::string_view> line);

enum class Checksum { absent, right, wrong };

// `line` is without its newline. One that does not end as above has none.
Checksum checksum_of(std::string_view line);

}  // namespace statelog
