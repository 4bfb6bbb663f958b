#include "load_agents.hpp"

#include "load_events.hpp"
#include "load_files.hpp"

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

Agents::Agents(std::string pool_directory, std::size_t count)
    : directory_(std::move(pool_directory)), inotify_(watch_new_files(directory_ + "/agents")) {
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
    if (!for_each_name(inotify_, [this](std::string_view name) { on_name(name); })) look_for_all();
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
