#include "io/spawn.hpp"

#include "base/text.hpp"

#include <cstring>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>

extern char** environ;

namespace io {

namespace {

struct Pipe {
    UniqueFd read;
    UniqueFd write;
};

base::Result<Pipe> make_pipe() {
    int fds[2];
    if (::pipe2(fds, O_CLOEXEC) != 0) return base::system_error("cannot make a pipe");
    return Pipe{UniqueFd(fds[0]), UniqueFd(fds[1])};
}

bool is_overridden(const char* entry, const Environment& overrides) {
    for (const auto& [name, value] : overrides)
        if (std::strncmp(entry, name.c_str(), name.size()) == 0 && entry[name.size()] == '=') return true;
    return false;
}

// The child's environment: ours, with the given variables over it. `storage` keeps the new entries alive.
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
        posix_spawnattr_setpgroup(&attributes_, 0);
        posix_spawnattr_setflags(&attributes_,
                                 POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    }
    ~Attributes() { posix_spawnattr_destroy(&attributes_); }
    Attributes(const Attributes&) = delete;
    Attributes& operator=(const Attributes&) = delete;
    const posix_spawnattr_t* get() const { return &attributes_; }

  private:
    posix_spawnattr_t attributes_;
};

class FileActions {
  public:
    FileActions(const std::string& directory, int input, int output, int error_output) {
        posix_spawn_file_actions_init(&actions_);
        posix_spawn_file_actions_addchdir_np(&actions_, directory.c_str());
        posix_spawn_file_actions_adddup2(&actions_, input, STDIN_FILENO);
        posix_spawn_file_actions_adddup2(&actions_, output, STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(&actions_, error_output, STDERR_FILENO);
        posix_spawn_file_actions_addclosefrom_np(&actions_, STDERR_FILENO + 1);
    }
    ~FileActions() { posix_spawn_file_actions_destroy(&actions_); }
    FileActions(const FileActions&) = delete;
    FileActions& operator=(const FileActions&) = delete;
    const posix_spawn_file_actions_t* get() const { return &actions_; }

  private:
    posix_spawn_file_actions_t actions_;
};

}  // namespace

base::Result<SpawnedShell> spawn_shell(const std::string& script, const std::string& directory,
                                       const Environment& environment) {
    auto input = make_pipe();
    if (!input) return input.error();
    auto output = make_pipe();
    if (!output) return output.error();
    auto error_output = make_pipe();
    if (!error_output) return error_output.error();

    static const Attributes attributes;
    FileActions actions(directory, input->read.get(), output->write.get(), error_output->write.get());
    std::vector<std::string> storage;
    std::vector<char*> variables = make_environment(environment, storage);
    const char* arguments[] = {"sh", "-c", script.c_str(), nullptr};

    SpawnedShell shell;
    int failed = ::posix_spawn(&shell.pid, "/bin/sh", actions.get(), attributes.get(),
                               const_cast<char* const*>(arguments), variables.data());
    if (failed != 0) return base::system_error(base::concat("cannot run /bin/sh in ", directory), failed);
    shell.input = std::move(input->write);
    shell.output = std::move(output->read);
    shell.error_output = std::move(error_output->read);
    return shell;
}

}  // namespace io
