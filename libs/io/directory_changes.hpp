// Waits for changes in directories, without an event loop.
#pragma once

#include "io/unique_fd.hpp"

#include <chrono>
#include <set>
#include <string>

namespace io {

class DirectoryChanges {
  public:
    DirectoryChanges();

    // Watches the directory from now on, unless it does already or the directory is not there.
    void watch(const std::string& directory);

    // Returns after a change in a watched directory since the last call, or since the directory is watched;
    // or after `longest`. If the kernel grants no watch, it returns 50 ms later.
    void wait(std::chrono::milliseconds longest);

  private:
    io::UniqueFd events_;
    std::set<std::string> watched_;
    bool must_poll_ = false;
};

}  // namespace io
