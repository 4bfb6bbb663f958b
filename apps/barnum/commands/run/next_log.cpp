#include "commands/run/next_log.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <climits>
#include <filesystem>

namespace barnum {

std::string next_log(const std::string& log_path) {
    std::filesystem::path log(log_path);
    std::string stem = log.stem().string();
    stem.resize(std::min(stem.size(), stem.rfind("-resumed")));
    for (unsigned number = 1;; ++number) {
        auto name = base::concat(stem, "-resumed", number > 1 ? base::concat("-", number) : "",
                                 log.extension().string());
        if (name.size() > NAME_MAX) return "";
        auto path = log.parent_path() / name;
        std::error_code ignored;
        if (!std::filesystem::exists(std::filesystem::symlink_status(path, ignored))) return path.string();
    }
}

}  // namespace barnum
