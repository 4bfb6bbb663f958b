#include "base/current_directory.hpp"

#include <filesystem>

namespace base {

Result<std::string> current_directory() {
    std::error_code gone;
    std::filesystem::path current = std::filesystem::current_path(gone);
    if (gone) return invalid("the current directory is gone; go to another one first");
    return current.string();
}

Result<std::string> absolute_path(const std::string& path) {
    if (path.starts_with('/')) return path;
    auto current = current_directory();
    if (!current) return current;
    return (std::filesystem::path(*current) / path).string();
}

}  // namespace base
