// The file of a transcript, which is complete lines at any moment: it is appended to, and replaced when it is
// shortened. Blocking; not synced.
#pragma once

#include "base/error.hpp"
#include "io/directory.hpp"
#include "io/unique_fd.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace agents {

class TranscriptFile {
  public:
    // Creates the file, with mode 0600. errc::file_exists if the name is taken.
    static base::Result<TranscriptFile> create(std::shared_ptr<const io::Directory> directory,
                                               std::string name);

    std::string path() const { return directory_->path_of(name_); }

    // After an error the file is as before, as far as that is possible.
    base::Result<void> append(std::string_view text);
    // The file becomes its first `head` bytes, `middle`, and its last `tail` bytes.
    base::Result<void> shorten(std::size_t head, std::string_view middle, std::size_t tail);

  private:
    TranscriptFile(std::shared_ptr<const io::Directory> directory, std::string name, io::UniqueFd fd)
        : directory_(std::move(directory)), name_(std::move(name)), fd_(std::move(fd)) {}
    base::Result<std::string> read(std::size_t from, std::size_t size) const;

    std::shared_ptr<const io::Directory> directory_;
    std::string name_;
    io::UniqueFd fd_;
    std::size_t size_ = 0;  // of the file
};

}  // namespace agents
