#include "pool_protocol/pool_directory.hpp"

#include "base/text.hpp"
#include "json/shown_word.hpp"
#include "pool_protocol/names.hpp"

#include <cstdlib>
#include <filesystem>

namespace pool_protocol {

namespace {

std::string choose_root(const std::string& option) {
    if (!option.empty()) return option;
    for (const char* variable : {"TROUPE_ROOT", "AGENT_POOL_ROOT"})
        if (const char* value = std::getenv(variable); value != nullptr && *value != '\0') return value;
    return std::string(default_root);
}

// Absolute, without . and .., empty components or a slash at the end; links are not resolved.
base::Result<std::string> normalise(const std::string& path) {
    std::error_code error;
    std::filesystem::path absolute = std::filesystem::absolute(path, error);
    if (error)
        return base::Error{error, base::concat("the root '", path,
                                               "' is relative, and the current directory is gone; go to "
                                               "another one first, or give the root from / on")};
    std::string text = absolute.lexically_normal().string();
    while (text.size() > 1 && text.back() == '/')
        text.pop_back();
    return text;
}

}  // namespace

base::Result<PoolDirectory> locate(const std::string& root, const std::string& pool) {
    std::string id = pool.empty() ? "default" : pool;
    if (!is_pool_id(id))
        return base::invalid(
            base::concat("'", id,
                         "' is no pool id: use 1 to 64 letters, digits, '_' and '-', beginning with a "
                         "letter or a digit"));
    auto normal = normalise(choose_root(root));
    if (normal.has_error()) return normal.error();
    PoolDirectory directory;
    directory.root = std::move(*normal);
    directory.pool = id;
    directory.path = base::concat(directory.root, "/pools/", id);
    return directory;
}

std::string options_of(const PoolDirectory& directory) {
    return base::concat("--root ", json::shown_word(directory.root), " --pool ", directory.pool);
}

}  // namespace pool_protocol
