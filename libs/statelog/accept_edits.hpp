// Corrects the checksums of a log that was edited on purpose. Blocking.
#pragma once

#include "base/error.hpp"
#include "io/file_calls.hpp"

#include <cstdint>
#include <string>

namespace statelog {

struct AcceptedEdits {
    std::uint64_t wrong = 0;    // lines whose checksum did not match their bytes
    std::uint64_t missing = 0;  // lines without a checksum
};

// Replaces the log by one with the same lines, each with a correct checksum. An incomplete last line is kept
// unchanged. If the process is killed, the file is the complete old or the complete new log. Fails without
// changing the file if the log is in use (as OldLog::open()), if it cannot be replayed even with checksums
// ignored (is_damage()), or if the new file cannot be written.
base::Result<AcceptedEdits> accept_edits(const std::string& path,
                                         const io::FileCalls& calls = io::FileCalls::real());

}  // namespace statelog
