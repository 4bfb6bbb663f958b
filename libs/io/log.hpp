// The program's log: one line per event (io/log_line), to stderr and optionally also to a file. One per
// process. Never writes to stdout, and never waits for the reader of stderr.
#pragma once

#include "base/error.hpp"
#include "base/text.hpp"
#include "io/log_line.hpp"

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace io::log {

void set_level(Level level);  // default: info
Level level();
// Sets the level, and logs a line about it, whatever the level.
void change_level(Level level);

// The format of lines on stderr. At first it is that of the journal, if stderr leads there, and otherwise
// text. A file has lines of text, or, if that is the format, of JSON.
void set_format(Format format);
Format format();
// "text" or "json"; another name, such as "auto", changes nothing.
void use_format(std::string_view name);

// Also appends every line of the level to this file. Fails if the file cannot be opened or is a FIFO without
// a reader. A FIFO with a slow reader is handled like stderr. The first line that cannot be written is
// reported on stderr; later lines are attempted anyway.
base::Result<void> open_file(const std::string& path);

// Opens the file of open_file() again by its path: a new one, if it was renamed. After an error, which is
// logged, the lines go where they went.
void reopen_file();

// From now on, a warning that was written less than `interval` ago is left out, on stderr and in the file:
// for a program that reads the same for each request. Of very many, some may be written again.
void leave_out_repeated_warnings(std::chrono::seconds interval);

bool enabled(Level level);
void write(
    Level level,
    std::string_view text,  // line feeds in `text` are indented, so that each unindented line is an event
    bool is_state_change = false);

// A line followed by a command for the user to copy, which is printed unchanged.
void write_with_command(Level level, std::string_view text, std::string_view command);

// A line that is about to be written to stderr.
struct Line {
    Level level = Level::info;
    bool is_state_change = false;  // from state_change()
    std::string_view text;         // the message
    std::string_view command;      // from write_with_command(), otherwise empty
    std::string_view formatted;    // the complete line, with time and level
};

// For a program that draws on stderr or uses another format there: it gets each line, and what it returns is
// written to stderr. The log file is not affected. Empty: lines are written as they are.
using Presenter = std::function<std::string(const Line&)>;
void set_presenter(Presenter presenter);

// Gets each line as well, in addition to stderr and the log file. Must not log. Empty: none.
using Listener = std::function<void(const Line&)>;
void set_listener(Listener listener);

// Writes to stderr only, in the order of the calls, with one write if the reader keeps up.
void put_on_stderr(std::string_view bytes);

// To be called after descriptor 2 was replaced.
void stderr_replaced();

// Whether the reader of stderr does not keep up, so that output is buffered. Tries to write the buffered
// output first.
bool is_backed_up();

// For an exit that runs no destructors: waits up to `longest` until the reader has taken the buffered output.
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
// An info line about an event that a progress display shows in its own way.
template<class... Pieces>
void state_change(const Pieces&... pieces) {
    if (enabled(Level::info)) write(Level::info, base::concat(pieces...), true);
}
template<class... Pieces>
void debug(const Pieces&... pieces) {
    if (enabled(Level::debug)) write(Level::debug, base::concat(pieces...));
}

}  // namespace io::log
