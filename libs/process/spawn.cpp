#include "process/spawn.hpp"

#include "base/text.hpp"
#include "io/as_user.hpp"
#include "process/child_input.hpp"
#include "process/orphans.hpp"

#include <cstring>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace process {

namespace errc = boost::system::errc;

namespace {

// The child's ends of the pipes.
struct Streams {
    io::UniqueFd input;
    io::UniqueFd output;
    io::UniqueFd error_output;
};

base::Result<void> make_pipe(io::UniqueFd& read, io::UniqueFd& write) {
    int fds[2];
    if (::pipe2(fds, O_CLOEXEC) != 0) return base::system_error("cannot make a pipe");
    read = io::UniqueFd(fds[0]);
    write = io::UniqueFd(fds[1]);
    return {};
}

base::Result<io::UniqueFd> open_input(const ShellRequest& request) {
    if (request.input_file < 0) return readable_input(request.input);
    io::UniqueFd file(::fcntl(request.input_file, F_DUPFD_CLOEXEC, 0));
    if (!file) return base::system_error("cannot pass a file on to a shell");
    ::fcntl(file.get(), F_SETFL, 0);  // without O_NONBLOCK, which may confuse a program
    return file;
}

base::Result<Streams> make_streams(SpawnedShell& shell, const ShellRequest& request) {
    Streams streams;
    if (request.streams == ShellStreams::open) {
        if (auto made = make_pipe(streams.input, shell.input); !made) return made.error();
    } else {
        auto input = open_input(request);
        if (!input) return input.error();
        streams.input = std::move(*input);
    }
    if (auto made = make_pipe(shell.output, streams.output); !made) return made.error();
    if (auto made = make_pipe(shell.error_output, streams.error_output); !made) return made.error();
    return streams;
}

// Its stdin is at first the pipe through which let_begin() starts it.
base::Result<Streams> share_stderr(SpawnedShell& shell) {
    Streams streams;
    if (auto made = make_pipe(streams.input, shell.begin); !made) return made.error();
    streams.output = io::UniqueFd(::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0));
    streams.error_output = io::UniqueFd(::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0));
    if (!streams.output || !streams.error_output)
        return base::system_error("cannot share stderr with a shell");
    return streams;
}

// The streams are closed by now, so a descriptor is free, unless other processes use all that the system has.
// Then the shell is killed, because it cannot be watched.
base::Result<void> watch_exit(SpawnedShell& shell) {
    shell.exit = io::UniqueFd(static_cast<int>(::syscall(SYS_pidfd_open, shell.pid, 0)));
    if (shell.exit) return {};
    base::Error failed = base::system_error("cannot watch a shell");
    ::kill(-shell.pid, SIGKILL);
    ::waitpid(shell.pid, nullptr, 0);
    remove_own_child(shell.pid);
    return failed;
}

bool is_overridden(const char* entry, const Environment& overrides) {
    for (const auto& [name, value] : overrides)
        if (std::strncmp(entry, name.c_str(), name.size()) == 0 && entry[name.size()] == '=') return true;
    return false;
}

// The environment of this process with `overrides`. `storage` owns the new entries.
std::vector<char*> make_environment(const Environment& overrides, std::vector<std::string>& storage) {
    storage.reserve(overrides.size());
    for (const auto& [name, value] : overrides)
        storage.push_back(base::concat(name, "=", value));
    std::vector<char*> entries;
    for (char** entry = environ; *entry != nullptr; ++entry)
        if (!is_overridden(*entry, overrides)) entries.push_back(*entry);
    for (std::string& entry : storage)
        entries.push_back(entry.data());
    entries.push_back(nullptr);
    return entries;
}

class Attributes {
  public:
    Attributes() {
        sigset_t all;
        sigset_t none;
        sigfillset(&all);
        sigemptyset(&none);
        posix_spawnattr_init(&attributes_);
        posix_spawnattr_setsigdefault(&attributes_, &all);
        posix_spawnattr_setsigmask(&attributes_, &none);
        // A session, and so also a group, of its own: without a terminal, a command that asks there fails at
        // once. In a background group it would be stopped, without a word.
        posix_spawnattr_setflags(&attributes_,
                                 POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    }
    ~Attributes() { posix_spawnattr_destroy(&attributes_); }
    Attributes(const Attributes&) = delete;
    Attributes& operator=(const Attributes&) = delete;
    const posix_spawnattr_t* get() const { return &attributes_; }

  private:
    posix_spawnattr_t attributes_;
};

// False if the kernel cannot do it. A child that closed its copy of the guard's channel before it executes
// the shell, and so before it carries a mark, would be missed by the guard if this process is killed at that
// moment.
bool close_all_on_exec() {
    return ::close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC) == 0;
}

class FileActions {
  public:
    FileActions(const std::string& directory, const Streams& streams, bool closes_all) {
        posix_spawn_file_actions_init(&actions_);
        posix_spawn_file_actions_addchdir_np(&actions_, directory.c_str());
        posix_spawn_file_actions_adddup2(&actions_, streams.input.get(), STDIN_FILENO);
        posix_spawn_file_actions_adddup2(&actions_, streams.output.get(), STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(&actions_, streams.error_output.get(), STDERR_FILENO);
        if (closes_all) posix_spawn_file_actions_addclosefrom_np(&actions_, STDERR_FILENO + 1);
    }
    ~FileActions() { posix_spawn_file_actions_destroy(&actions_); }
    FileActions(const FileActions&) = delete;
    FileActions& operator=(const FileActions&) = delete;
    const posix_spawn_file_actions_t* get() const { return &actions_; }

  private:
    posix_spawn_file_actions_t actions_;
};

// Returns an errno. Nothing else may be opened while the user's limit of open files is set.
int spawn_as_user(pid_t& pid, const FileActions& actions, const Attributes& attributes,
                  const char** arguments, const std::vector<char*>& variables) {
    io::AsUser as_user;
    return ::posix_spawn(&pid, "/bin/sh", actions.get(), attributes.get(),
                         const_cast<char* const*>(arguments), variables.data());
}

}  // namespace

bool is_shortage(const base::Error& error) {
    for (auto code : {errc::resource_unavailable_try_again, errc::too_many_files_open,
                      errc::too_many_files_open_in_system, errc::not_enough_memory})
        if (error.code == code) return true;
    return false;
}

base::Result<SpawnedShell> spawn_shell(const ShellRequest& request) {
    SpawnedShell shell;
    const bool is_shared = request.streams == ShellStreams::shared;
    auto streams = is_shared ? share_stderr(shell) : make_streams(shell, request);
    if (!streams) return streams.error();

    static const Attributes attributes;
    FileActions actions(request.directory, *streams, !close_all_on_exec());
    std::vector<std::string> storage;
    std::vector<char*> variables = make_environment(request.environment, storage);
    const char* script = request.script.c_str();
    std::vector<const char*> at_once{"sh", "-c", script, "sh"};
    for (const std::string& argument : request.arguments)
        at_once.push_back(argument.c_str());
    at_once.push_back(nullptr);
    const char* when_started[] = {"sh", "-c", "(read -r line) && exec sh -c \"$0\" </dev/null", script,
                                  nullptr};
    const char** arguments = is_shared ? when_started : at_once.data();

    int failed = spawn_as_user(shell.pid, actions, attributes, arguments, variables);
    if (failed != 0)
        return base::system_error(base::concat("cannot run /bin/sh in ", request.directory), failed);
    add_own_child(shell.pid);
    *streams = Streams();
    if (auto watched = watch_exit(shell); !watched) return watched.error();
    return shell;
}

// The shell may have been killed; then its exit reports it.
void let_begin(SpawnedShell& shell) {
    while (::write(shell.begin.get(), "\n", 1) < 0 && errno == EINTR) {
    }
    shell.begin.reset();
}

}  // namespace process
