#include "launch/run_files.hpp"

#include "base/text.hpp"

#include <filesystem>
#include <string_view>

namespace launch {

namespace {

std::string place_of(std::string_view name, const std::string& run_directory, const std::string& run_id) {
    if (!run_directory.empty()) return base::concat(run_directory, "/", name);
    std::error_code ignored;
    std::filesystem::path temporary = std::filesystem::temp_directory_path(ignored);
    if (temporary.empty()) temporary = "/tmp";
    return std::filesystem::absolute(temporary / base::concat("barnum-", name, "-", run_id), ignored);
}

}  // namespace

std::string attempts_directory(const std::string& run_directory, const std::string& run_id) {
    return place_of("attempts", run_directory, run_id);
}

std::string results_directory(const std::string& run_directory, const std::string& run_id) {
    return place_of("results", run_directory, run_id);
}

}  // namespace launch
