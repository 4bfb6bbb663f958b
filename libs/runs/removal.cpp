#include "runs/removal.hpp"

#include "base/text.hpp"
#include "runs/run_directories.hpp"

#include <cerrno>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace runs {

namespace fs = std::filesystem;

namespace {

std::uint64_t space_of_entry(const fs::path& path) {
    constexpr std::uint64_t block = 512;  // of st_blocks, whatever the file system's is
    struct stat status {};
    if (::lstat(path.c_str(), &status) != 0) return 0;
    return static_cast<std::uint64_t>(status.st_blocks) * block;
}

base::Error cannot_remove(const std::string& path, const std::error_code& why) {
    return {why, base::concat("cannot remove ", path, ": ", why.message())};
}

}  // namespace

std::uint64_t space_of(const std::string& directory) {
    std::uint64_t bytes = space_of_entry(directory);
    std::error_code failed;
    fs::recursive_directory_iterator entry(directory, fs::directory_options::skip_permission_denied, failed);
    for (; !failed && entry != fs::recursive_directory_iterator(); entry.increment(failed))
        bytes += space_of_entry(entry->path());
    return bytes;
}

base::Result<void> remove_run_directory(const std::string& directory) {
    std::error_code failed;
    fs::file_status status = fs::symlink_status(directory, failed);
    if (status.type() == fs::file_type::not_found)
        failed = std::make_error_code(std::errc::no_such_file_or_directory);
    if (failed) return cannot_remove(directory, failed);
    if (!fs::is_directory(status))
        return cannot_remove(directory, std::make_error_code(std::errc::not_a_directory));
    std::vector<fs::path> paths;
    fs::directory_iterator entry(directory, failed);
    for (; !failed && entry != fs::directory_iterator(); entry.increment(failed))
        if (entry->path().filename() != record_name) paths.push_back(entry->path());
    paths.push_back(fs::path(directory) / record_name);
    for (const fs::path& path : paths)
        if (!failed) fs::remove_all(path, failed);
    if (failed) return cannot_remove(directory, failed);
    if (::rmdir(directory.c_str()) != 0) return base::system_error(base::concat("cannot remove ", directory));
    return {};
}

}  // namespace runs
