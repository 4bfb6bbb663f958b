// A record of a segment (docs/output.md): a piece of one stream. Pure.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace output {

using Time = std::chrono::sys_time<std::chrono::milliseconds>;

enum class Stream : std::uint8_t { out, err };  // stdout, stderr

// The most bytes of a record.
inline constexpr std::size_t longest_record = 16 * 1024;

struct Record {
    std::uint64_t source = 0;  // the number of what wrote it (output/source.hpp)
    Stream stream = Stream::out;
    Time time;
    std::uint64_t offset = 0;  // of the bytes in the stream
    std::string_view bytes;    // empty: the stream has ended, and `offset` is its size

    friend bool operator==(const Record&, const Record&) = default;
};

void append_record(std::string& out, const Record& record);

// Takes the first record off the text; its bytes point into the text. Nothing, and the text is unchanged, if
// it does not begin with a whole record, undamaged.
std::optional<Record> take_record(std::string_view& text);

// How many bytes of damage are at the beginning of the text, which does not begin with a whole record: what
// follows them is one. Nothing if no whole record follows; and, unless the text `is_complete`, if more of its
// first record may still be written.
std::optional<std::size_t> damage_before_record(std::string_view text, bool is_complete);

}  // namespace output
