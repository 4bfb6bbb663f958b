// A file in memory, for another process of this user that takes a path.
#pragma once

#include "base/error.hpp"
#include "io/unique_fd.hpp"

#include <string>
#include <string_view>
#include <utility>

namespace serve_shell {

// The file exists as long as the object.
class MemoryFile {
  public:
    static base::Result<MemoryFile> make(std::string_view text);

    // The path by which other processes open the file.
    std::string path() const;

  private:
    explicit MemoryFile(io::UniqueFd fd) : fd_(std::move(fd)) {}

    io::UniqueFd fd_;
};

}  // namespace serve_shell
