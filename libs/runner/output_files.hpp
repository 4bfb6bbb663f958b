// The files of a run's kept output (docs/output.md): appends to them, and rewrites segments. Blocking; not
// synced. Decides nothing about their contents.
#pragma once

#include "base/error.hpp"
#include "io/unique_fd.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace runner {

class OutputFiles {
  public:
    // `directory` is absolute. It is created by the first append(), with mode 0700; its parent must exist.
    explicit OutputFiles(std::string directory) : directory_(std::move(directory)) {}

    // Appends to the index, and then to the segment. After an error, both are as before, as far as that is
    // possible. errc::no_space_on_device also if so little of the disk is free that it is left to the rest of
    // the run; errc::no_such_file_or_directory if the directory was removed, or cannot be found.
    base::Result<void> append(std::uint32_t segment, std::string_view index, std::string_view records);

    // Replaces the records of the segment, atomically, by what `change` makes of them. Without any, the
    // segment is removed. Returns its new size.
    base::Result<std::size_t> rewrite(std::uint32_t segment,
                                      const std::function<std::string(std::string_view)>& change);

    const std::string& directory() const { return directory_; }

  private:
    struct AppendedFile {
        std::string path;
        io::UniqueFd fd;
        std::size_t size = 0;  // bytes
    };
    base::Result<void> open(std::uint32_t segment);
    base::Result<void> open_index();
    base::Result<void> check_disk(std::size_t size) const;
    std::string what_was_removed() const;
    std::string segment_path(std::uint32_t segment) const;

    std::string directory_;
    AppendedFile index_;
    AppendedFile segment_;
    std::uint32_t number_ = 0;  // of `segment_`
};

}  // namespace runner
