// The few POSIX calls that the load needs: descriptors, whole small files, fresh ids. A failure that makes
// the measurement worthless ends the program with a message.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace load {

using Clock = std::chrono::steady_clock;

[[noreturn]] void die(std::string_view message);
// "<what>: <text of errno>"
[[noreturn]] void die_errno(std::string_view what);

// A random UUID, version 4.
std::string fresh_uuid();

// The whole of a small file; empty if it is not there.
std::string read_file(const std::string& path);

// In place, as the published agents and every shell's `>` do it.
void write_file(const std::string& path, std::string_view text);

// The decimal digits that follow `key` in `text`, empty if it has none.
std::string_view number_after(std::string_view text, std::string_view key);

}  // namespace load
