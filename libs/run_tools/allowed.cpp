#include "run_tools/allowed.hpp"

#include "base/text.hpp"

#include <boost/system/errc.hpp>

#include <algorithm>
#include <filesystem>

namespace run_tools {

namespace fs = std::filesystem;
namespace errc = boost::system::errc;
using base::concat;

namespace {

constexpr std::string_view relative_paths =
    " (a path is relative to the directory in which the server was started)";

// If a path does not exist, the part of it that does is resolved.
fs::path resolved(const std::string& path, std::error_code& failed) {
    fs::path absolute = fs::absolute(path, failed);
    return failed ? fs::path() : fs::weakly_canonical(absolute, failed);
}

}  // namespace

base::Result<AllowedDirectories> AllowedDirectories::of(const std::vector<std::string>& paths) {
    AllowedDirectories allowed;
    for (const std::string& path : paths) {
        std::error_code failed;
        fs::path real = fs::canonical(path, failed);
        if (failed)
            return base::Error{failed,
                               concat(path, ": ", failed.message(), "; name a directory that is there")};
        if (!fs::is_directory(real, failed)) return base::invalid(concat(path, " is not a directory"));
        allowed.paths_.push_back(real.string());
    }
    return allowed;
}

base::Result<std::string> AllowedDirectories::config(const std::string& path) const {
    std::error_code failed;
    fs::path real = resolved(path, failed);
    if (failed) return base::Error{failed, concat(path, ": ", failed.message())};
    if (!contain(real.string())) return outside(path, real.string());
    std::string_view relative = path.starts_with('/') ? "" : relative_paths;
    if (!fs::exists(real, failed))
        return base::Error{make_error_code(errc::no_such_file_or_directory),
                           concat("there is no file ", real.string(), relative)};
    if (!fs::is_regular_file(real, failed)) return base::invalid(concat(real.string(), " is not a file"));
    return real.string();
}

base::Result<void> AllowedDirectories::check(const std::string& path) const {
    std::error_code failed;
    fs::path real = resolved(path, failed);
    if (failed || !contain(real.string())) return outside(path, real.string());
    return {};
}

bool AllowedDirectories::contain(std::string_view path) const {
    return std::ranges::any_of(paths_, [&](const std::string& directory) {
        std::string_view prefix = directory == "/" ? "" : std::string_view(directory);
        return path == directory || (path.starts_with(prefix) && path.substr(prefix.size()).starts_with('/'));
    });
}

base::Error AllowedDirectories::outside(std::string_view path, std::string_view real) const {
    std::string list;
    for (const std::string& directory : paths_)
        list += concat(list.empty() ? "" : ", ", directory);
    std::string name = path == real ? std::string(path) : concat(path, ", that is ", real, ",");
    return base::invalid(concat(name, " is not below a directory that is allowed here: ", list,
                                path.starts_with('/') ? "" : relative_paths,
                                ". Whoever starts `barnum mcp` allows others with --allow-dir."));
}

}  // namespace run_tools
