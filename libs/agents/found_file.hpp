// A file to which a path led once, whatever it leads to by now. Finding it has no effect on a device or FIFO.
#pragma once

#include "base/error.hpp"
#include "io/unique_fd.hpp"

#include <cstddef>
#include <filesystem>
#include <string>

namespace agents {

class FoundFile {
  public:
    // Follows links. An error does not contain the path.
    static base::Result<FoundFile> find(const std::string& path);

    bool is_regular() const { return is_regular_; }
    // The place of this very file; empty if that is not known.
    std::filesystem::path real_path() const;
    // Reads at most so many bytes. To be called for a regular file.
    base::Result<std::string> beginning(std::size_t bytes) const;

  private:
    FoundFile(io::UniqueFd fd, bool is_regular) : fd_(std::move(fd)), is_regular_(is_regular) {}

    io::UniqueFd fd_;
    bool is_regular_;
};

// Whether `path` is `top` or lies in it. Both are real paths.
bool is_below(const std::filesystem::path& top, const std::filesystem::path& path);

}  // namespace agents
