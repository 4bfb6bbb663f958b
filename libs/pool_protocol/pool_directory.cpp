#include "pool_protocol/pool_directory.hpp"

#include "base/text.hpp"
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
std::string normalise(const std::string& path) {
    std::string text = std::filesystem::absolute(path).lexically_normal().string();
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
    PoolDirectory directory;
    directory.root = normalise(choose_root(root));
    directory.pool = id;
    directory.path = base::concat(directory.root, "/pools/", id);
    return directory;
}

}  // namespace pool_protocol
