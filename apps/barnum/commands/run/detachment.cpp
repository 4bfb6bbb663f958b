#include "commands/run/detachment.hpp"

#include "base/exit_code.hpp"
#include "base/text.hpp"
#include "cli/command_line.hpp"
#include "cli/output.hpp"
#include "fail.hpp"
#include "io/log.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <iostream>
#include <sys/wait.h>
#include <unistd.h>

namespace barnum {

namespace {

std::string read_all(int fd) {
    std::string text;
    std::array<char, 256> buffer{};
    while (true) {
        ssize_t size = ::read(fd, buffer.data(), buffer.size());
        if (size < 0 && errno == EINTR) continue;
        if (size <= 0) return text;
        text.append(buffer.data(), static_cast<std::size_t>(size));
    }
}

int exit_code_of_child(pid_t child) {
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// Prints the id that comes through the pipe. If none comes, the run has not begun, and has said why.
[[noreturn]] void wait_for_beginning(int pipe, pid_t child) {
    std::string id = read_all(pipe);
    if (id.empty()) std::exit(exit_code_of_child(child));
    std::cout << id << "\n";
    int code = cli::flushed("barnum", base::ExitCode::ok);
    if (code != base::ExitCode::ok) std::cerr << "barnum: the run " << id << " goes on in the background\n";
    std::exit(code);
}

base::Result<void> replace(int fd, const char* path, int flags) {
    io::UniqueFd file(::open(path, flags | O_CLOEXEC | O_NOCTTY, 0600));
    if (!file || ::dup2(file.get(), fd) < 0) return base::system_error(base::concat("cannot open ", path));
    return {};
}

}  // namespace

base::Result<Detachment> Detachment::start() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return base::system_error("cannot detach the run");
    io::UniqueFd read_end(ends[0]);
    io::UniqueFd write_end(ends[1]);
    pid_t child = ::fork();
    if (child < 0) return base::system_error("cannot detach the run");
    if (child > 0) {
        write_end.reset();
        wait_for_beginning(read_end.get(), child);
    }
    ::setsid();
    static_cast<void>(std::signal(SIGHUP, SIG_IGN));
    return Detachment(std::move(write_end));
}

base::Result<void> Detachment::complete(const std::string& run_id, const std::string& log_path) {
    constexpr int append = O_WRONLY | O_CREAT | O_APPEND;
    if (auto replaced = replace(STDIN_FILENO, "/dev/null", O_RDONLY); !replaced) return replaced;
    if (auto replaced = replace(STDERR_FILENO, log_path.c_str(), append); !replaced) return replaced;
    if (auto replaced = replace(STDOUT_FILENO, log_path.c_str(), append); !replaced) return replaced;
    io::log::stderr_replaced();
    if (::write(pipe_.get(), run_id.data(), run_id.size()) < 0)
        return base::system_error("the command that started the run has ended before it");
    pipe_.reset();
    return {};
}

}  // namespace barnum
