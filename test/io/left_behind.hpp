// What a killed process leaves behind, for tests of who ends it.
#pragma once

#include "io_helper.hpp"
#include "process/marked_processes.hpp"
#include "process/spawn.hpp"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace test {

// Each test's own: a guard goes on looking for its mark for a little while.
inline process::Environment mark(const std::string& value) {
    static const std::string process = std::to_string(::getpid());
    return {{"BARNUM_IO_MARK", value + process}};
}

// What a process writes to that file, once it has got so far.
inline int awaited_pid(const std::string& file) {
    auto end = std::chrono::steady_clock::now() + patience;
    while (!std::filesystem::exists(file) && std::chrono::steady_clock::now() < end)
        ::usleep(1000);
    int pid = 0;
    std::ifstream(file) >> pid;
    REQUIRE(pid > 0);
    return pid;
}

// A marked process that has left its group, as a child of this one; its parent has to reap it.
inline int start_escapee(const process::Environment& environment, const std::string& file) {
    process::ShellRequest request{"exec setsid -f sh -c 'echo $$ > " + file + ".new; mv " + file + ".new " +
                                      file + "; exec sleep 1000'",
                                  "/", environment, ""};
    auto shell = process::spawn_shell(request);
    REQUIRE(shell.has_value());
    ::waitpid(shell->pid, nullptr, 0);
    return awaited_pid(file);
}

// Empty when it is gone.
inline std::string state(int pid) {
    std::ifstream status("/proc/" + std::to_string(pid) + "/stat");
    std::string skipped;
    std::string letter;
    status >> skipped >> skipped >> letter;
    return letter;
}

inline bool is_alive(int pid) {
    return !state(pid).empty() && state(pid) != "Z";
}

inline bool is_gone_within(int pid, std::chrono::seconds limit) {
    auto end = std::chrono::steady_clock::now() + limit;
    while (is_alive(pid) && std::chrono::steady_clock::now() < end)
        ::usleep(1000);
    return !is_alive(pid);
}

}  // namespace test
