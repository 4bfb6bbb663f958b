#include "process/table.hpp"

#include "base/text.hpp"
#include "io/unique_fd.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <signal.h>
#include <string_view>
#include <sys/syscall.h>
#include <tuple>
#include <unordered_map>

namespace process {

namespace {

constexpr std::chrono::milliseconds most_age{20};

struct Stat {
    ProcessInfo entry;
    std::string name;
};

std::optional<int> process_id(const char* name) {
    int pid = 0;
    auto [end, problem] = std::from_chars(name, name + std::strlen(name), pid);
    return problem == std::errc() && *end == '\0' && pid > 0 ? std::optional(pid) : std::nullopt;
}

// The words of `text`, which is what follows the process's name. The first is the state (field 3).
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

// The name is in parentheses and may contain any character, including parentheses.
std::optional<Stat> read_stat(int pid) {
    io::UniqueFd fd(::open(base::concat("/proc/", pid, "/stat").c_str(), O_RDONLY | O_CLOEXEC));
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
    stat.entry = {pid,
                  number<int>(words[1]),
                  number<int>(words[2]),
                  number<std::uint64_t>(words[19]),
                  words[0].front(),
                  number<int>(words[17])};
    return stat;
}

bool is_living(const Stat& stat) {
    return stat.entry.state != 'Z' && stat.entry.state != 'X';
}

bool contains(const std::vector<int>& groups, int group) {
    return std::find(groups.begin(), groups.end(), group) != groups.end();
}

bool is_same(const ProcessInfo& one, const ProcessInfo& other) {
    return one.pid == other.pid && one.start == other.start;
}

// A process is never older than its parent. The start time has a resolution of 10 ms; within that, the pid
// decides.
void sort_by_age(std::vector<ProcessInfo>& processes) {
    std::sort(processes.begin(), processes.end(), [](const ProcessInfo& one, const ProcessInfo& other) {
        return std::tie(one.start, one.pid) < std::tie(other.start, other.pid);
    });
}

// The children that the main thread of `pid` has started: shells, and most other programs, have no other.
std::vector<int> children_of(int pid) {
    std::ifstream file(base::concat("/proc/", pid, "/task/", pid, "/children"));
    return {std::istream_iterator<int>(file), std::istream_iterator<int>()};
}

}  // namespace

std::optional<int> stopped_process(int pid) {
    auto stat = read_stat(pid);
    if (!stat) return std::nullopt;
    if (stat->entry.state == 'T') return pid;
    for (int child : children_of(pid))
        if (auto stopped = stopped_process(child)) return stopped;
    return std::nullopt;
}

std::vector<int> process_ids() {
    std::vector<int> pids;
    std::unique_ptr<DIR, int (*)(DIR*)> directory(::opendir("/proc"), ::closedir);
    if (!directory) return pids;
    while (const dirent* entry = ::readdir(directory.get()))
        if (auto pid = process_id(entry->d_name)) pids.push_back(*pid);
    return pids;
}

Table Table::now() {
    Table table;
    for (int pid : process_ids()) {
        auto stat = read_stat(pid);
        if (!stat || !is_living(*stat)) continue;
        table.processes_.push_back(stat->entry);
        if (stat->name == guard_name) table.guards_.insert(pid);
    }
    return table;
}

const Table& Table::recent() {
    using Clock = std::chrono::steady_clock;
    static Table table;
    static std::optional<Clock::time_point> taken;
    if (!taken || Clock::now() - *taken > most_age) {
        table = now();
        taken = Clock::now();
    }
    return table;
}

std::optional<int> Table::member_of(int group) const {
    auto member = std::ranges::find(processes_, group, &ProcessInfo::group);
    return member == processes_.end() ? std::nullopt : std::optional(member->pid);
}

std::vector<ProcessInfo> Table::family(const std::vector<int>& groups,
                                       const std::vector<ProcessInfo>& known) const {
    std::unordered_map<int, const ProcessInfo*> known_by_pid;
    for (const ProcessInfo& process : known)
        known_by_pid.emplace(process.pid, &process);
    std::vector<ProcessInfo> found;
    std::unordered_set<int> reached;
    std::unordered_multimap<int, const ProcessInfo*> children;
    for (const ProcessInfo& process : processes_) {
        children.emplace(process.parent, &process);
        auto same_pid = known_by_pid.find(process.pid);
        bool is_known = same_pid != known_by_pid.end() && is_same(*same_pid->second, process);
        if (!is_known && !contains(groups, process.group)) continue;
        found.push_back(process);
        reached.insert(process.pid);
    }
    for (std::size_t visited = 0; visited < found.size(); ++visited) {
        auto [first, last] = children.equal_range(found[visited].pid);
        for (; first != last; ++first)
            if (const ProcessInfo& child = *first->second;
                !guards_.contains(child.pid) && reached.insert(child.pid).second)
                found.push_back(child);
    }
    sort_by_age(found);
    return found;
}

bool is_alive(const ProcessInfo& process) {
    auto now = read_stat(process.pid);
    return now && is_living(*now) && is_same(now->entry, process);
}

// The pidfd is opened before the check, so that the signal cannot reach a later process with the same pid.
bool signal_process(const ProcessInfo& process, int signal) {
    io::UniqueFd fd(static_cast<int>(::syscall(SYS_pidfd_open, process.pid, 0)));
    return fd && is_alive(process) && ::syscall(SYS_pidfd_send_signal, fd.get(), signal, nullptr, 0) == 0;
}

}  // namespace process
