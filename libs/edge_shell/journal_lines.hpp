// The lines of a journal (edge_shell/journal), and where in the file each entry is. Pure.
//
// "0123456789abcdef + KEY TEXT\n" puts an entry in place of an earlier one with this key, and
// "0123456789abcdef - KEY\n" erases it. The line begins with the checksum of what follows it.
#pragma once

#include "base/line_splitter.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace edge_shell {

struct JournalLine {
    std::string_view key;
    std::optional<std::string_view> text;  // none: erased
};

// 1 to 250 ASCII characters, without spaces and control characters.
bool is_journal_key(std::string_view key);

// `text` has no newline.
void append_put(std::string& out, std::string_view key, std::string_view text);
void append_erase(std::string& out, std::string_view key);

// `line` has no newline. Nothing if it is damaged.
std::optional<JournalLine> parse_journal_line(std::string_view line);
// The text in a line of append_put(), which has its newline and is known to be undamaged.
std::string_view text_of_put(std::string_view line, std::string_view key);

// Where a line is, with its newline.
struct JournalPlace {
    std::uint64_t offset = 0;  // in the file
    std::size_t size = 0;      // bytes

    friend bool operator==(const JournalPlace&, const JournalPlace&) = default;
};

// Reads a journal, which comes in pieces.
class JournalReader {
  public:
    void add(std::string_view piece);

    // The entries, by key: the places of the lines that have put them.
    const std::map<std::string, JournalPlace>& places() const { return places_; }
    // The bytes of all lines that are complete. What follows is the beginning of a line.
    std::uint64_t size() const { return size_; }
    // Lines that were skipped, and the number of the first of them, from 1.
    std::size_t damaged() const { return damaged_; }
    std::size_t first_damaged() const { return first_damaged_; }

  private:
    void take(std::string_view line);

    base::LineSplitter splitter_{std::numeric_limits<std::size_t>::max()};
    std::map<std::string, JournalPlace> places_;
    std::uint64_t size_ = 0;
    std::size_t lines_ = 0;
    std::size_t damaged_ = 0;
    std::size_t first_damaged_ = 0;
};

}  // namespace edge_shell
