// File calls that are noted down, and that fail, fall short or wait as a test wants it.
#pragma once

#include "io/file_calls.hpp"
#include "io_helper.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <limits>
#include <mutex>
#include <string>
#include <vector>

namespace test {

// Called from any thread. Must outlive the calls that it gives out.
class ScriptedCalls {
  public:
    static constexpr std::size_t never = std::numeric_limits<std::size_t>::max();

    io::FileCalls calls() {
        const io::FileCalls real = io::FileCalls::real();
        io::FileCalls calls;
        calls.write = [=, this](int fd, const void* data, std::size_t size) -> ssize_t {
            return fails("write") ? -1 : real.write(fd, data, std::min(size, most_bytes));
        };
        calls.copy = [=, this](int from, off_t* offset, int to, std::size_t size) -> ssize_t {
            return fails("copy") ? -1 : real.copy(from, offset, to, std::min(size, most_bytes));
        };
        calls.fsync = [=, this](int fd) { return fails("fsync") ? -1 : real.fsync(fd); };
        calls.fdatasync = [=, this](int fd) { return fails("fdatasync") ? -1 : real.fdatasync(fd); };
        calls.rename = [=, this](int directory, const char* from, const char* to) {
            return fails("rename") ? -1 : real.rename(directory, from, to);
        };
        calls.replace = [=, this](int directory, const char* from, const char* to) {
            return fails("replace") ? -1 : real.replace(directory, from, to);
        };
        return calls;
    }

    std::vector<std::string> made() const {
        std::lock_guard lock(mutex_);
        return made_;
    }
    std::size_t count(const std::string& name) const {
        std::lock_guard lock(mutex_);
        return static_cast<std::size_t>(std::count(made_.begin(), made_.end(), name));
    }
    // Whether there have been `times` calls of that name before the deadline.
    bool wait_for(const std::string& name, std::size_t times) const {
        std::unique_lock lock(mutex_);
        return happened_.wait_for(lock, patience, [&] {
            return std::count(made_.begin(), made_.end(), name) >= static_cast<std::ptrdiff_t>(times);
        });
    }

    // To be set while no call is made.
    std::size_t fail_at = never;  // the number of the call that fails, from 0
    int error = EIO;
    std::size_t most_bytes = never;                                      // that one write or copy takes
    std::function<void(const std::string& name)> before = [](auto&) {};  // runs in the calling thread

  private:
    bool fails(const std::string& name) {
        before(name);
        std::size_t number = 0;
        {
            std::lock_guard lock(mutex_);
            number = made_.size();
            made_.push_back(name);
        }
        happened_.notify_all();
        errno = error;
        return number == fail_at;
    }

    mutable std::mutex mutex_;
    mutable std::condition_variable happened_;
    std::vector<std::string> made_;
};

}  // namespace test
