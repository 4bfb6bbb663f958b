// Reads the files of a config. Internal to config/load. The messages of errors don't contain the path;
// callers put it before them.
#pragma once

#include "base/error.hpp"

#include <cstddef>
#include <string>

namespace config {

inline constexpr std::size_t max_file_bytes = 64 * 1024 * 1024;

// Reads a file to which a config links. Returns an error at once, without blocking, if it is not a regular
// file.
base::Result<std::string> read_linked_file(const std::string& path);

struct ConfigText {
    std::string text;
    bool is_regular_file;
};

// Reads the file given with --config: a regular file, or a pipe, FIFO or character device (for example
// `<(generate)` or /dev/stdin). Waits for the end of the file.
base::Result<ConfigText> read_config_file(const std::string& path);

}  // namespace config
