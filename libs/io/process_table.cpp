#include "io/process_table.hpp"

#include "base/text.hpp"
#include "io/unique_fd.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <optional>
#include <signal.h>
#include <string_view>
#include <sys/syscall.h>
#include <unordered_map>
#include <unordered_set>

namespace io {

namespace {

constexpr std::chrono::milliseconds most_age{20};

struct Stat {
    ProcessEntry entry;
    std::string name;
    char state = 0;
};

std::optional<int> process_id(const char* name) {
    int pid = 0;
    auto [end, problem] = std::from_chars(name, name + std::strlen(name), pid);
    return problem == std::errc() && *end == '\0' && pid > 0 ? std::optional(pid) : std::nullopt;
}

// Words of `text` behind the process's name, from the state, field 3, on.
std::vector<std::string_view> fields(std::string_view text) {
    std::vector<std::string_view> words;
    while (!text.empty()) {
        auto end = std::min(text.find(' '), text.size());
        if (end > 0) words.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return words;
}

template<class Number>
Number number(std::string_view word) {
    Number value = 0;
    std::from_chars(word.data(), word.data() + word.size(), value);
    return value;
}

// The name is in brackets and may hold anything, brackets too.
std::optional<Stat> read_stat(int pid) {
    UniqueFd fd(::open(base::concat("/proc/", pid, "/stat").c_str(), O_RDONLY | O_CLOEXEC));
    char buffer[1024];
    ssize_t got = fd ? ::read(fd.get(), buffer, sizeof buffer) : -1;
    if (got <= 0) return std::nullopt;
    std::string_view text(buffer, static_cast<std::size_t>(got));
    auto open = text.find('(');
    auto close = text.rfind(')');
    if (open == std::string_view::npos || close == std::string_view::npos) return std::nullopt;
    auto words = fields(text.substr(close + 1));
    if (words.size() < 20) return std::nullopt;
    Stat stat;
    stat.name = text.substr(open + 1, close - open - 1);
    stat.state = words[0].front();
    stat.entry = {pid, number<int>(words[1]), number<int>(words[2]), number<std::uint64_t>(words[19])};
    return stat;
}

bool is_living(const Stat& stat) {
    return stat.state != 'Z' && stat.state != 'X';
}

bool contains(const std::vector<int>& groups, int group) {
    return std::find(groups.begin(), groups.end(), group) != groups.end();
}

bool contains(const std::vector<ProcessEntry>& known, const ProcessEntry& entry) {
    return std::any_of(known.begin(), known.end(), [&](const ProcessEntry& other) {
        return other.pid == entry.pid && other.start == entry.start;
    });
}

}  // namespace

std::vector<int> process_ids() {
    std::vector<int> pids;
    std::unique_ptr<DIR, int (*)(DIR*)> directory(::opendir("/proc"), ::closedir);
    if (!directory) return pids;
    while (const dirent* entry = ::readdir(directory.get()))
        if (auto pid = process_id(entry->d_name)) pids.push_back(*pid);
    return pids;
}

ProcessTable ProcessTable::now() {
    ProcessTable table;
    for (int pid : process_ids())
        if (auto stat = read_stat(pid); stat && is_living(*stat))
            table.processes_.push_back({stat->entry, stat->name == guard_name});
    return table;
}

const ProcessTable& ProcessTable::recent() {
    using Clock = std::chrono::steady_clock;
    static ProcessTable table;
    static std::optional<Clock::time_point> taken;
    if (!taken || Clock::now() - *taken > most_age) {
        table = now();
        taken = Clock::now();
    }
    return table;
}

bool ProcessTable::has_group(int group) const {
    return std::any_of(processes_.begin(), processes_.end(),
                       [&](const Process& process) { return process.entry.group == group; });
}

std::vector<ProcessEntry> ProcessTable::escapees(const std::vector<int>& groups,
                                                 const std::vector<ProcessEntry>& known) const {
    std::vector<ProcessEntry> found;
    std::unordered_set<int> reached;
    std::vector<int> to_visit;
    std::unordered_multimap<int, const Process*> children;
    for (const Process& process : processes_) {
        const ProcessEntry& entry = process.entry;
        children.emplace(entry.parent, &process);
        bool is_member = contains(groups, entry.group);
        if (!is_member && !contains(known, entry)) continue;
        to_visit.push_back(entry.pid);
        reached.insert(entry.pid);
        if (!is_member) found.push_back(entry);
    }
    while (!to_visit.empty()) {
        auto [first, last] = children.equal_range(to_visit.back());
        to_visit.pop_back();
        for (; first != last; ++first) {
            const Process& child = *first->second;
            if (child.is_guard || !reached.insert(child.entry.pid).second) continue;
            found.push_back(child.entry);
            to_visit.push_back(child.entry.pid);
        }
    }
    return found;
}

// The pidfd is opened before the look, so that the signal can't reach a process that got the number later.
bool kill_process(const ProcessEntry& process) {
    UniqueFd fd(static_cast<int>(::syscall(SYS_pidfd_open, process.pid, 0)));
    if (!fd) return false;
    auto now = read_stat(process.pid);
    return now && is_living(*now) && now->entry.start == process.start &&
           ::syscall(SYS_pidfd_send_signal, fd.get(), SIGKILL, nullptr, 0) == 0;
}

}  // namespace io
