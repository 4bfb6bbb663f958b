// An event of the log as a line, for its readers: people, the journal of systemd, programs. Pure.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace io::log {

enum class Level { off, error, warn, info, debug, trace };

std::optional<Level> parse_level(std::string_view name);  // "off" … "trace"
std::string_view name_of(Level level);

// The next level that logs more, or less: from `error` to `trace`.
Level more_than(Level level);
Level less_than(Level level);

// text: "2026-11-20T11:15:52.780Z INFO  message"; what follows a line feed in the message is indented.
// journal: each line begins with the priority of the level, "<6>message", as in sd-daemon(3).
// json: {"time":"2026-11-20T11:15:52.780Z","level":"info","message":"message"}
enum class Format { text, journal, json };

struct Message {
    Level level = Level::info;
    std::chrono::sys_time<std::chrono::milliseconds> time;
    std::string_view text;
    std::string_view command = {};  // for the user to copy, which is printed unchanged; empty: none
};

// The line with its newline.
std::string formatted(Format format, const Message& message);

}  // namespace io::log
