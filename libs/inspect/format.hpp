// Formats the contents of a state log for people: durations, times, messages, tables. Pure, except that it
// reads the local time zone.
#pragma once

#include "statelog/record.hpp"
#include "terminal/table.hpp"
#include "terminal/units.hpp"
#include "terminal/width.hpp"

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace inspect {

using terminal::size_text;
using terminal::Table;

// Does what terminal::duration_text() does, in whole milliseconds; "-" if empty.
std::string duration_text(std::optional<std::chrono::milliseconds> duration);

// Local time: "2026-11-21 09:15:34"; "-" if empty.
std::string time_text(std::optional<statelog::Time> time);

// The text on one line: terminal::printable(), with tabs replaced by spaces.
std::string printable(std::string_view text);

// The first `most` code points of the printable text, and "…" if there are more.
std::string clipped(std::string_view text, std::size_t most);

// The lines of a message, printable. `shortened`: only the first line, which says what happened, and the last
// ones, each clipped.
std::vector<std::string> message_lines(std::string_view message, bool shortened);

// The lines of the table; each begins with `indent` and ends with a line feed.
std::string table_text(const Table& table, std::string_view indent = "");

}  // namespace inspect
