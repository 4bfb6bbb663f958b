// For a log that somebody has edited on purpose: makes its lines' checksums right. Blocking.
#pragma once

#include "base/error.hpp"
#include "io/file_calls.hpp"

#include <cstdint>
#include <string>

namespace statelog {

struct AcceptedEdits {
    std::uint64_t wrong = 0;    // lines whose checksum was not that of their bytes
    std::uint64_t missing = 0;  // lines that had none
};

// Replaces the log by one of the same lines, each with its right checksum. A last line without its newline
// stays as it is. Killed at any moment, it leaves the one or the other, whole. The file stays as it is, and
// the error says why: a log in use, as OldLog::open() refuses it; one that can't be replayed even when its
// checksums are left out of account (is_damage()); a disk that can't be written.
base::Result<AcceptedEdits> accept_edits(const std::string& path,
                                         const io::FileCalls& calls = io::FileCalls::real());

}  // namespace statelog
