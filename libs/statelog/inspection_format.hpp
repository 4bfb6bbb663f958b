// How what is in a log looks to a person: durations, times, texts of commands, tables. Pure, but for the
// local time zone.
#pragma once

#include "statelog/record.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace statelog {

// "350 ms", "2.0 s", "3 min 20 s", "2 h 5 min", "3 d 4 h"; "-" for none.
std::string duration_text(std::optional<std::chrono::milliseconds> duration);

// Local: "2026-11-21 09:15:34"; "-" for none.
std::string time_text(std::optional<Time> time);

// "812 bytes", "12.3 kB", "4.0 MB"
std::string size_text(std::uint64_t bytes);

// Nothing in it changes a terminal's state or leaves the line: control characters, line feeds among them,
// come out as '?', tabs as spaces.
std::string printable(std::string_view text);

// The first `most` code points of the printable text, and … if there are more.
std::string clipped(std::string_view text, std::size_t most);

// The lines of a message, printable. `shortened`: the first, which says what, and the last ones, each
// clipped.
std::vector<std::string> message_lines(std::string_view message, bool shortened);

// Lines of cells in columns as wide as their widest cell, the headings first.
class Table {
  public:
    enum class Align { left, right };
    struct Column {
        std::string heading;
        Align align = Align::left;
    };

    explicit Table(std::vector<Column> columns);
    // As many cells as there are columns.
    void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
    // Each line begins with `indent` and ends with a line feed, without spaces before it.
    std::string text(std::string_view indent = "") const;

  private:
    std::vector<Align> aligns_;
    std::vector<std::vector<std::string>> rows_;
};

}  // namespace statelog
