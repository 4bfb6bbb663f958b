// Where the files are by which commands learn of previous attempts (runner/attempt_files).
#pragma once

#include <filesystem>
#include <string>

namespace launch {

// In the directory of the run, or else a directory of its own for temporary files.
inline std::string attempts_directory(const std::string& run_directory, const std::string& run_id) {
    if (!run_directory.empty()) return run_directory + "/attempts";
    std::error_code ignored;
    std::filesystem::path temporary = std::filesystem::temp_directory_path(ignored);
    if (temporary.empty()) temporary = "/tmp";
    return std::filesystem::absolute(temporary / ("barnum-attempts-" + run_id), ignored);
}

}  // namespace launch
