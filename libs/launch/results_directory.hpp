// Where the files with the results of descendants are, for the `finally`s of a run (runner/result_files).
#pragma once

#include <filesystem>
#include <string>

namespace launch {

// In the directory of the run, or else a directory of its own for temporary files.
inline std::string results_directory(const std::string& run_directory, const std::string& run_id) {
    if (!run_directory.empty()) return run_directory + "/results";
    std::error_code ignored;
    std::filesystem::path temporary = std::filesystem::temp_directory_path(ignored);
    return (temporary.empty() ? std::filesystem::path("/tmp") : temporary) / ("barnum-results-" + run_id);
}

}  // namespace launch
