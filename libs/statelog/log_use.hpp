// Reads a state log that a run may be writing: the holders of its lock, and single lines.
#pragma once

#include "base/error.hpp"
#include "statelog/record.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace statelog {

// Whether a process holds the log's lock: its run, one that resumes it, or a command that uses it.
enum class Use { free, held, unknown };

struct LogUse {
    Use use = Use::free;
    std::vector<int> holders;
};

// Call it before the log is read: if the lock is free then, no run writes to the log any more. (A run that
// holds it may end while the log is read.)
LogUse use_of(int fd);

// The line that begins at `offset`, without its newline. Fails if it has more than `most` bytes.
base::Result<std::string> read_line(int fd, const std::string& path, std::uint64_t offset,
                                    std::size_t most = longest_line);

}  // namespace statelog
