// A loop, a directory, files and a deadline for one test of a kernel part.
#pragma once

#include "io/directory.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <catch2/catch.hpp>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

namespace test {

namespace asio = boost::asio;

// After so long something is taken to hang. No verdict depends on how fast the machine is.
inline constexpr std::chrono::seconds patience{120};

// A fresh directory, removed with all that is in it.
class TemporaryDirectory {
  public:
    TemporaryDirectory() {
        std::string pattern = (std::filesystem::temp_directory_path() / "barnum-io-XXXXXX").string();
        REQUIRE(::mkdtemp(pattern.data()) != nullptr);
        path_ = pattern;
    }
    ~TemporaryDirectory() { std::filesystem::remove_all(path_); }
    TemporaryDirectory(const TemporaryDirectory&) = delete;
    TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

    const std::string& path() const { return path_; }
    std::string operator/(const std::string& name) const { return path_ + "/" + name; }

  private:
    std::string path_;
};

inline std::string content(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

inline void write(const std::string& path, std::string_view text) {
    std::ofstream(path, std::ios::binary) << text;
}

// Runs a coroutine to its end; one that takes longer than the deadline fails the test.
inline void run(asio::io_context& loop, asio::awaitable<void> body,
                std::chrono::seconds deadline = patience) {
    bool done = false;
    std::exception_ptr failure;
    asio::co_spawn(loop, std::move(body), [&](std::exception_ptr exception) {
        done = true;
        failure = exception;
    });
    loop.restart();
    auto end = std::chrono::steady_clock::now() + deadline;
    while (!done && std::chrono::steady_clock::now() < end)
        loop.run_one_for(std::chrono::milliseconds(100));
    REQUIRE(done);
    if (failure) std::rethrow_exception(failure);
}

}  // namespace test
