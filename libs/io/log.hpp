// The program's log: one line an event, "2026-11-20T11:15:52.780Z INFO  text", to stderr and, if asked, to a
// file as well. One per process. Never writes to stdout, and never waits for who reads stderr.
#pragma once

#include "base/error.hpp"
#include "base/text.hpp"

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace io::log {

enum class Level { off, error, warn, info, debug, trace };

std::optional<Level> parse_level(std::string_view name);  // "off" … "trace"
std::string_view name_of(Level level);

void set_level(Level level);  // default: info

// Appends every line that passes the level to this file too; a file that can't be opened, and a FIFO that
// nobody reads, is an error. One whose reader is slow is treated like stderr. The first line that can't be
// written there is told on stderr; later ones are tried all the same.
base::Result<void> open_file(const std::string& path);

bool enabled(Level level);
void write(Level level,
           std::string_view text,  // line feeds inside `text` are indented, so that lines stay events
           bool is_state_change = false);

// A line, and below it a command to be copied: in it, nothing is indented or replaced.
void write_with_command(Level level, std::string_view text, std::string_view command);

// A line on its way to stderr.
struct Line {
    Level level = Level::info;
    bool is_state_change = false;  // from state_change()
    std::string_view text;         // what was to be told
    std::string_view command;      // from write_with_command(), else empty
    std::string_view formatted;    // all of it with time and level, as it goes out
};

// For who draws on stderr himself, or has another format there: each line is handed to him, and what he
// returns goes out. A log file gets the lines as ever. Empty: the lines go out as they are.
using Presenter = std::function<std::string(const Line&)>;
void set_presenter(Presenter presenter);

// To stderr only, in the order of the calls, in one piece if the reader keeps up.
void put_on_stderr(std::string_view bytes);

// Whether the reader of stderr does not keep up: what is put there now waits. Offers it what waits.
bool is_backed_up();

// Before an exit that runs no destructors: gives the reader so long to take what is left.
void flush(std::chrono::milliseconds longest);

template<class... Pieces>
void error(const Pieces&... pieces) {
    if (enabled(Level::error)) write(Level::error, base::concat(pieces...));
}
template<class... Pieces>
void warn(const Pieces&... pieces) {
    if (enabled(Level::warn)) write(Level::warn, base::concat(pieces...));
}
template<class... Pieces>
void info(const Pieces&... pieces) {
    if (enabled(Level::info)) write(Level::info, base::concat(pieces...));
}
// An info line that a display of progress tells in its own way.
template<class... Pieces>
void state_change(const Pieces&... pieces) {
    if (enabled(Level::info)) write(Level::info, base::concat(pieces...), true);
}
template<class... Pieces>
void debug(const Pieces&... pieces) {
    if (enabled(Level::debug)) write(Level::debug, base::concat(pieces...));
}

}  // namespace io::log
