#include "process/marked_processes.hpp"

#include "base/text.hpp"
#include "io/unique_fd.hpp"

#include <algorithm>
#include <fcntl.h>
#include <string_view>
#include <unistd.h>

namespace process {

namespace {

// The environment with which the process was started: entries that end with a NUL. Empty if it is not
// readable.
std::string environment_of(int pid) {
    io::UniqueFd fd(::open(base::concat("/proc/", pid, "/environ").c_str(), O_RDONLY | O_CLOEXEC));
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

bool is_marked(int pid, const std::vector<std::string>& entries) {
    std::string environment = environment_of(pid);
    return std::all_of(entries.begin(), entries.end(),
                       [&](const std::string& entry) { return contains_entry(environment, entry); });
}

}  // namespace

// The environment is read after the table. If the pid was reused in between, the table's entry is that of the
// ended process, and a signal to it is not delivered.
std::vector<ProcessInfo> marked_processes(const Table& table, const Environment& variables) {
    std::vector<ProcessInfo> marked;
    std::vector<std::string> entries;
    for (const auto& [name, value] : variables)
        entries.push_back(base::concat(name, "=", value));
    if (entries.empty()) return marked;
    for (const ProcessInfo& process : table.processes())
        if (process.pid != ::getpid() && !table.is_guard(process.pid) && is_marked(process.pid, entries))
            marked.push_back(process);
    return marked;
}

}  // namespace process
