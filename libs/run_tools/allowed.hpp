// The directories below which a client of `barnum mcp` may use configs. Symbolic links are followed first.
#pragma once

#include "base/error.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace run_tools {

class AllowedDirectories {
  public:
    // `paths` has at least one path. Fails if one of them is not a directory.
    static base::Result<AllowedDirectories> of(const std::vector<std::string>& paths);

    // The path of this regular file without symbolic links. Fails if it is none, or not below a directory
    // that is allowed.
    base::Result<std::string> config(const std::string& path) const;

    // Fails if this config, or this directory, which may be gone, is not below one of them.
    base::Result<void> check(const std::string& path) const;

    // Absolute, without symbolic links.
    const std::vector<std::string>& paths() const { return paths_; }

  private:
    bool contain(std::string_view path) const;
    base::Error outside(std::string_view path, std::string_view real) const;

    std::vector<std::string> paths_;
};

}  // namespace run_tools
