#include "io/marked_processes.hpp"

#include "base/text.hpp"
#include "io/process_table.hpp"
#include "io/unique_fd.hpp"

#include <algorithm>
#include <fcntl.h>
#include <signal.h>
#include <string_view>
#include <sys/syscall.h>

namespace io {

namespace {

// The environment that the process was started with: entries with a NUL after each. Empty if it is not ours
// to read.
std::string environment_of(int pid) {
    UniqueFd fd(::open(base::concat("/proc/", pid, "/environ").c_str(), O_RDONLY | O_CLOEXEC));
    std::string text;
    if (!fd) return text;
    char buffer[4096];
    ssize_t got = 0;
    while ((got = ::read(fd.get(), buffer, sizeof buffer)) > 0)
        text.append(buffer, static_cast<std::size_t>(got));
    return text;
}

bool contains_entry(std::string_view environment, const std::string& entry) {
    std::string whole = entry + '\0';
    for (std::size_t at = environment.find(whole); at != std::string_view::npos;
         at = environment.find(whole, at + 1))
        if (at == 0 || environment[at - 1] == '\0') return true;
    return false;
}

// The pidfd is opened before the look, so that the signal can't reach a process that got the number later.
bool kill_if_marked(int pid, const std::vector<std::string>& entries) {
    UniqueFd process(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
    if (!process) return false;
    std::string environment = environment_of(pid);
    bool marked = std::all_of(entries.begin(), entries.end(),
                              [&](const std::string& entry) { return contains_entry(environment, entry); });
    return marked && ::syscall(SYS_pidfd_send_signal, process.get(), SIGKILL, nullptr, 0) == 0;
}

}  // namespace

std::size_t kill_marked_processes(const Environment& variables) {
    std::vector<std::string> entries;
    for (const auto& [name, value] : variables)
        entries.push_back(base::concat(name, "=", value));
    if (entries.empty()) return 0;
    std::size_t killed = 0;
    for (int pid : process_ids())
        if (pid != ::getpid() && kill_if_marked(pid, entries)) ++killed;
    return killed;
}

}  // namespace io
