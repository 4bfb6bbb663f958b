#include "pool_daemon/inbox.hpp"

#include "base/text.hpp"
#include "io/log.hpp"
#include "pool_protocol/names.hpp"

#include <algorithm>
#include <set>

namespace pool_daemon {

using io::DirectoryEvent;
using pool_protocol::FileKind;

namespace {

constexpr std::size_t max_status_bytes = 64;
constexpr std::size_t max_foreign_names = 1000;

// Oldest first; of the same age, by name.
std::vector<std::string> by_age(const io::Directory& directory) {
    auto names = directory.names();
    if (names.has_error()) {
        io::log::warn(names.error().message);
        return {};
    }
    std::set<std::pair<std::chrono::nanoseconds, std::string>> ordered;
    for (std::string& name : *names) {
        auto modified = directory.modified(name);
        ordered.emplace(modified, std::move(name));
    }
    std::vector<std::string> sorted;
    sorted.reserve(ordered.size());
    for (const auto& [modified, name] : ordered)
        sorted.push_back(name);
    return sorted;
}

}  // namespace

Inbox::Inbox(io::DirectoryWatch& watch, const PoolFiles& files, Agents& agents, Submissions& submissions,
             std::function<void()> on_stop, std::function<void()> on_lost)
    : watch_(watch),
      files_(files),
      agents_(agents),
      submissions_(submissions),
      on_stop_(std::move(on_stop)),
      on_lost_(std::move(on_lost)) {}

base::Result<void> Inbox::start() {
    using Handler = void (Inbox::*)(const DirectoryEvent&);
    for (auto [directory, handler] :
         {std::pair<const io::Directory*, Handler>{&files_.pool, &Inbox::pool_event},
          {&files_.agents, &Inbox::agents_event},
          {&files_.submissions, &Inbox::submissions_event}}) {
        auto subscribed =
            watch_.watch(directory->path(),
                         [this, receive = handler](const DirectoryEvent& event) { (this->*receive)(event); });
        if (subscribed.has_error()) return subscribed.error();
        subscriptions_.push_back(std::move(*subscribed));
    }
    scan_agents();
    scan_submissions();
    return {};
}

void Inbox::stop() {
    subscriptions_.clear();
}

void Inbox::agents_event(const DirectoryEvent& event) {
    if (event.kind == DirectoryEvent::Kind::overflow) {
        agents_.look_for_departed();
        return scan_agents();
    }
    if (event.kind == DirectoryEvent::Kind::written)
        return agent_file_written(event.name, Agents::Seen::announced);
    auto file = pool_protocol::parse_file_name(event.name);
    if (event.kind == DirectoryEvent::Kind::removed && file && file->kind == FileKind::ready)
        agents_.ready_removed(file->id);
}

void Inbox::agent_file_written(std::string_view name, Agents::Seen seen) {
    auto file = pool_protocol::parse_file_name(name);
    if (!file || file->kind == FileKind::request) {
        if (foreign_names_.size() < max_foreign_names && foreign_names_.emplace(name).second)
            io::log::info("leaving ", files_.agents.path_of(name), " alone: not a name of this protocol");
        return;
    }
    if (file->kind == FileKind::ready) agents_.ready_written(file->id, seen);
    if (file->kind == FileKind::response) agents_.response_written(file->id);
}

void Inbox::submissions_event(const DirectoryEvent& event) {
    if (event.kind == DirectoryEvent::Kind::overflow) {
        submissions_.look_for_withdrawn();
        return scan_submissions();
    }
    if (event.kind == DirectoryEvent::Kind::written) return submission_file_written(event.name);
    auto file = pool_protocol::parse_file_name(event.name);
    if (event.kind == DirectoryEvent::Kind::removed && file && file->kind == FileKind::request)
        submissions_.file_removed(file->id);
}

void Inbox::submission_file_written(std::string_view name) {
    auto file = pool_protocol::parse_file_name(name);
    if (file && file->kind == FileKind::request) return submissions_.from_file(file->id);
    if (file && file->kind == FileKind::response) return;
    if (foreign_names_.size() < max_foreign_names && foreign_names_.emplace(name).second)
        io::log::info("leaving ", files_.submissions.path_of(name), " alone: not a name of this protocol");
}

void Inbox::pool_event(const DirectoryEvent& event) {
    if (event.kind == DirectoryEvent::Kind::removed && PoolFiles::is_directory_name(event.name))
        return on_lost_();
    if (event.kind != DirectoryEvent::Kind::written || event.name != pool_protocol::status_name) return;
    auto text = files_.pool.read(pool_protocol::status_name, max_status_bytes);
    if (text.has_value() && text->starts_with("stop")) on_stop_();
}

// A file that is open for writing will announce itself when it is closed.
void Inbox::scan_agents() {
    for (const std::string& name : by_age(files_.agents))
        if (!files_.agents.is_being_written(name)) agent_file_written(name, Agents::Seen::found);
}

void Inbox::scan_submissions() {
    for (const std::string& name : by_age(files_.submissions)) {
        if (files_.submissions.is_being_written(name)) continue;
        submission_file_written(name);
        auto file = pool_protocol::parse_file_name(name);
        if (file && file->kind == FileKind::response &&
            !files_.submissions.contains(pool_protocol::file_name(file->id, FileKind::request)))
            submissions_.expire_later(file->id);
    }
}

}  // namespace pool_daemon
