// A file of rows in the order of tasks' numbers, from rows that come in any order. Blocking.
#pragma once

#include "base/error.hpp"
#include "io/unique_fd.hpp"
#include "workflow/entry.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace runner {

// The file exists as long as this object. Needs 24 bytes of memory for each row; the rows are on the disk.
// All errors contain the path.
class ResultRows {
  public:
    // Creates the file, mode 0600. It must not exist.
    static base::Result<ResultRows> create(std::string path);
    ResultRows(ResultRows&& other) noexcept;
    ResultRows& operator=(ResultRows&&) = delete;
    ~ResultRows();

    const std::string& path() const { return path_; }

    // The descriptor of a complete file.
    int fd() const { return fd_.get(); }
    std::uint64_t bytes() const { return size_; }
    // Whether it is as it was when it was completed: a script may do with it what it wants.
    bool is_unchanged() const;

    // `row` has no newline.
    base::Result<void> add(workflow::TaskId task, std::string_view row);

    // To be called after the last row until it returns true: then the file is complete. Each call writes at
    // most about a MiB.
    base::Result<bool> finish_some();

  private:
    struct Row {
        workflow::TaskId task;
        std::uint64_t offset;  // where it was written at first
        std::uint64_t size;    // with its newline
    };

    ResultRows(io::UniqueFd fd, std::string path) : fd_(std::move(fd)), path_(std::move(path)) {}
    base::Result<void> flush(int fd);
    base::Result<void> begin_sorting();
    base::Result<void> copy_some();
    void mark_complete() const;
    std::string sorted_path() const { return path_ + ".sorted"; }

    io::UniqueFd fd_;
    std::string path_;  // empty: moved from
    std::string buffer_;
    std::vector<Row> rows_;
    std::uint64_t size_ = 0;
    bool is_sorted_ = true;
    io::UniqueFd sorted_;
    std::size_t copied_ = 0;  // rows
};

}  // namespace runner
