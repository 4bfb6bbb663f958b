#include "load_agents.hpp"

#include "load_files.hpp"

#include <sys/inotify.h>
#include <unistd.h>
#include <vector>

namespace load {

namespace {

constexpr std::string_view task_suffix = ".task.json";

// What an agent says to this task file: the number it was given, "ok" to a heartbeat, nothing to a kick.
std::string response_to(std::string_view task) {
    auto number = number_after(task, "\"n\":");
    if (!number.empty()) return "[{\"kind\":\"Done\",\"value\":{\"n\":" + std::string(number) + "}}]";
    return task.find("Kicked") == std::string_view::npos ? "\"ok\"" : "";
}

}  // namespace

Agents::Agents(std::string pool_directory, std::size_t count) : directory_(std::move(pool_directory)) {
    inotify_ = ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (inotify_ < 0) die_errno("no inotify instance");
    auto agents = directory_ + "/agents";
    if (::inotify_add_watch(inotify_, agents.c_str(), IN_CLOSE_WRITE | IN_MOVED_TO) < 0) {
        die_errno("cannot watch " + agents);
    }
    for (std::size_t i = 0; i < count; ++i)
        announce();
}

Agents::~Agents() {
    for (const auto& uuid : waiting_)
        ::unlink(file(uuid, ".ready.json").c_str());
    ::close(inotify_);
}

std::string Agents::file(const std::string& uuid, std::string_view suffix) const {
    return directory_ + "/agents/" + uuid + std::string(suffix);
}

void Agents::announce() {
    auto uuid = fresh_uuid();
    write_file(file(uuid, ".ready.json"), "{\"name\":\"load\"}");
    waiting_.insert(std::move(uuid));
}

void Agents::on_events() {
    alignas(inotify_event) char buffer[16384];
    ssize_t got = 0;
    while ((got = ::read(inotify_, buffer, sizeof buffer)) > 0) {
        for (const char* at = buffer; at < buffer + got;) {
            auto* event = static_cast<const inotify_event*>(static_cast<const void*>(at));
            if (event->mask & IN_Q_OVERFLOW) look_for_all();
            if (event->len > 0) on_name(event->name);
            at += sizeof(inotify_event) + event->len;
        }
    }
}

void Agents::on_name(std::string_view name) {
    if (!name.ends_with(task_suffix)) return;
    name.remove_suffix(task_suffix.size());
    if (std::string uuid(name); waiting_.contains(uuid)) answer(uuid);
}

void Agents::look_for_all() {
    std::vector<std::string> uuids(waiting_.begin(), waiting_.end());
    for (const auto& uuid : uuids) {
        if (::access(file(uuid, task_suffix).c_str(), F_OK) == 0) answer(uuid);
    }
}

void Agents::answer(const std::string& uuid) {
    auto task = read_file(file(uuid, task_suffix));
    if (task.empty()) return;  // created, not yet written: another event follows
    waiting_.erase(uuid);
    if (auto response = response_to(task); !response.empty()) {
        write_file(file(uuid, ".response.json"), response);
    }
    announce();
}

}  // namespace load
