// The files by which commands and hooks learn of the previous attempts at their task (docs/hooks.md,
// "Environment"). Blocking; the files are small. Decides nothing about their contents.
#pragma once

#include "base/error.hpp"
#include "workflow/entry.hpp"

#include <string>
#include <string_view>
#include <utility>

namespace runner {

// A file, which is removed with this object.
class AttemptFile {
  public:
    explicit AttemptFile(std::string path) : path_(std::move(path)) {}
    AttemptFile(AttemptFile&& other) noexcept : path_(std::exchange(other.path_, {})) {}
    AttemptFile& operator=(AttemptFile&&) = delete;
    ~AttemptFile();

    const std::string& path() const { return path_; }

  private:
    std::string path_;  // empty: moved from
};

class AttemptFiles {
  public:
    // `directory` is absolute and must not exist, but its parent must. It is created with the first file,
    // mode 0700, and removed with this object, which outlives the files.
    explicit AttemptFiles(std::string directory) : directory_(std::move(directory)) {}
    AttemptFiles(const AttemptFiles&) = delete;
    AttemptFiles& operator=(const AttemptFiles&) = delete;
    ~AttemptFiles();

    // A file with this text, mode 0600, for the attempt, which has no other one. Errors contain the path.
    base::Result<AttemptFile> create(workflow::TaskId attempt, std::string_view text);

  private:
    base::Result<void> make_directory();

    std::string directory_;
    bool is_made_ = false;
};

}  // namespace runner
