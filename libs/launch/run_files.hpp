// Where the files are that a run has only while it lives: in its directory, or else in a directory of its own
// for temporary files.
#pragma once

#include <string>

namespace launch {

// The directory of the files by which commands learn of previous attempts (runner/attempt_files).
std::string attempts_directory(const std::string& run_directory, const std::string& run_id);

// The directory of the files with the results of descendants, for the `finally`s (runner/result_files).
std::string results_directory(const std::string& run_directory, const std::string& run_id);

}  // namespace launch
