// The files that a config consists of, read whole. Inner part of config/load. The errors' messages leave the
// path out: they are to stand behind it.
#pragma once

#include "base/error.hpp"

#include <cstddef>
#include <string>

namespace config {

inline constexpr std::size_t max_file_bytes = 64 * 1024 * 1024;

// A file that a config links to. Anything but a regular file is refused, without waiting for it.
base::Result<std::string> read_linked_file(const std::string& path);

struct ConfigText {
    std::string text;
    bool is_regular_file;
};

// What --config names: a regular file, or a pipe, FIFO or character device, as `<(generate)` and /dev/stdin
// are. Waits until it ends.
base::Result<ConfigText> read_config_file(const std::string& path);

}  // namespace config
