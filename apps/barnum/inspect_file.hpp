// A state log as a file to look at, while its run may be writing it.
#pragma once

#include "base/error.hpp"
#include "statelog/inspection_report.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace barnum {

struct LogUse {
    statelog::Use use = statelog::Use::free;
    std::vector<int> holders;
};

// Whether somebody holds the log's lock now. Ask before the log is read: who holds it then may have finished
// by the end of reading, but a run that has ended writes no more.
LogUse use_of(int fd);

// The line that begins at `offset`, without its newline.
base::Result<std::string> read_line(int fd, const std::string& path, std::uint64_t offset);

}  // namespace barnum
