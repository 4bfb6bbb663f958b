#include "pool_daemon/inbox.hpp"

#include "base/text.hpp"
#include "io/log.hpp"
#include "pool_protocol/names.hpp"

#include <algorithm>
#include <set>

namespace pool_daemon {

using io::DirectoryEvent;
using pool_protocol::file_name;
using pool_protocol::FileKind;

namespace {

constexpr std::chrono::seconds last_resort{30};
constexpr std::size_t max_status_bytes = 64;
constexpr std::size_t max_foreign_names = 1000;

void log_overflow(const io::Directory& directory) {
    io::log::debug("the kernel has dropped events: looking through ", directory.path());
}

// The names of files of that kind, oldest first; of the same age, by name.
std::vector<std::string> by_age(const io::Directory& directory, const std::vector<std::string>& names,
                                FileKind kind) {
    std::set<std::pair<std::chrono::nanoseconds, std::string>> ordered;
    for (const std::string& name : names) {
        auto file = pool_protocol::parse_file_name(name);
        if (file && file->kind == kind) ordered.emplace(directory.modified(name), name);
    }
    std::vector<std::string> sorted;
    sorted.reserve(ordered.size());
    for (const auto& [modified, name] : ordered)
        sorted.push_back(name);
    return sorted;
}

}  // namespace

Inbox::Inbox(io::DirectoryWatch& watch, const PoolFiles& files, TimerQueue& timers, Agents& agents,
             Submissions& submissions, Callbacks callbacks)
    : watch_(watch),
      files_(files),
      timers_(timers),
      agents_(agents),
      submissions_(submissions),
      callbacks_(std::move(callbacks)) {}

base::Result<void> Inbox::watch() {
    using Handler = void (Inbox::*)(const DirectoryEvent&);
    for (auto [directory, handler] :
         {std::pair<const io::Directory*, Handler>{&files_.pool, &Inbox::pool_event},
          {&files_.agents, &Inbox::agents_event},
          {&files_.submissions, &Inbox::submissions_event}}) {
        auto subscribed =
            watch_.watch(directory->path(), [this, receive = handler](const DirectoryEvent& event) {
                schedule_rescan();
                (this->*receive)(event);
            });
        if (subscribed.has_error()) return subscribed.error();
        subscriptions_.push_back(std::move(*subscribed));
    }
    watch_parents();
    return {};
}

// A pool is also gone if a directory above it is moved, of which the kernel tells only those who watch that
// directory. It may be one that this user cannot read; then nothing is known of it.
void Inbox::watch_parents() {
    for (std::string_view parent = files_.pool.path(); parent.rfind('/') > 0;) {
        parent = parent.substr(0, parent.rfind('/'));
        auto subscribed = watch_.watch_place(std::string(parent), [this] { callbacks_.lost(); });
        if (subscribed.has_value())
            subscriptions_.push_back(std::move(*subscribed));
        else
            io::log::debug(subscribed.error().message);
    }
}

void Inbox::stop() {
    subscriptions_.clear();
}

void Inbox::schedule_rescan() {
    if (std::exchange(scan_due_, true)) return;
    timers_.after(last_resort, [this] {
        scan_due_ = false;
        read_status();
        scan();
    });
}

void Inbox::scan() {
    scan_agents();
    scan_submissions();
}

void Inbox::agents_event(const DirectoryEvent& event) {
    if (event.kind == DirectoryEvent::Kind::overflow) {
        log_overflow(files_.agents);
        return scan_agents();
    }
    if (event.kind == DirectoryEvent::Kind::written)
        return agent_file_written(event.name, Agents::Source::event);
    auto file = pool_protocol::parse_file_name(event.name);
    if (event.kind == DirectoryEvent::Kind::removed && file && file->kind == FileKind::ready)
        agents_.ready_removed(std::string(file->id));
}

void Inbox::agent_file_written(std::string_view name, Agents::Source source) {
    auto file = pool_protocol::parse_file_name(name);
    if (!file || file->kind == FileKind::request) return log_once(files_.agents, name);
    if (file->kind == FileKind::ready) agents_.ready_written(std::string(file->id), source);
    if (file->kind == FileKind::response) agents_.response_written(std::string(file->id));
    if (file->kind == FileKind::schema || file->kind == FileKind::report)
        agents_.addition_found(std::string(file->id));
}

void Inbox::submissions_event(const DirectoryEvent& event) {
    if (event.kind == DirectoryEvent::Kind::overflow) {
        log_overflow(files_.submissions);
        return scan_submissions();
    }
    if (event.kind == DirectoryEvent::Kind::written) return submission_file_written(event.name);
    auto file = pool_protocol::parse_file_name(event.name);
    if (event.kind == DirectoryEvent::Kind::removed && file && file->kind == FileKind::request)
        submissions_.request_removed(std::string(file->id));
}

void Inbox::submission_file_written(std::string_view name) {
    auto file = pool_protocol::parse_file_name(name);
    if (file && file->kind == FileKind::request) return submissions_.request_found(std::string(file->id));
    if (!file || file->kind != FileKind::response) log_once(files_.submissions, name);
}

void Inbox::log_once(const io::Directory& directory, std::string_view name) {
    std::string path = directory.path_of(name);
    if (foreign_names_.size() < max_foreign_names && foreign_names_.insert(path).second)
        io::log::info("ignoring ", path, ": not a file name of the protocol");
}

void Inbox::pool_event(const DirectoryEvent& event) {
    if (event.kind == DirectoryEvent::Kind::overflow) return read_status();
    if (event.kind == DirectoryEvent::Kind::gone ||
        (event.kind == DirectoryEvent::Kind::removed && files_.is_needed(event.name)))
        return callbacks_.lost();
    if (event.kind == DirectoryEvent::Kind::written && event.name == pool_protocol::status_name)
        read_status();
}

void Inbox::read_status() {
    auto text = files_.pool.read(pool_protocol::status_name, max_status_bytes);
    if (text.has_error()) return;
    if (text->starts_with(pool_protocol::stop_word)) callbacks_.stop();
    if (text->starts_with(pool_protocol::drain_word)) callbacks_.drain();
}

// A file that is open for writing is announced when it is closed. Ready files are handled first, so that a
// response is not taken for that of an unknown agent; departed agents last, so that their responses are
// handled before.
void Inbox::scan_agents() {
    std::vector<std::string> names = names_in(files_.agents);
    std::unordered_set<std::string> present(names.begin(), names.end());
    for (FileKind kind : {FileKind::ready, FileKind::response, FileKind::schema, FileKind::report})
        for (const std::string& name : by_age(files_.agents, names, kind))
            if (!files_.agents.is_being_written(name)) agent_file_written(name, Agents::Source::scan);
    for (const std::string& name : names)
        if (!pool_protocol::parse_file_name(name)) log_once(files_.agents, name);
    agents_.find_departed(present);
}

void Inbox::scan_submissions() {
    std::vector<std::string> names = names_in(files_.submissions);
    std::unordered_set<std::string> present(names.begin(), names.end());
    std::vector<std::string> unseen;
    for (const std::string& name : names) {
        auto file = pool_protocol::parse_file_name(name);
        if (!file || (file->kind != FileKind::request && file->kind != FileKind::response)) {
            log_once(files_.submissions, name);
        } else if (file->kind == FileKind::response) {
            if (present.contains(std::string(file_name(file->id, FileKind::request))))
                submissions_.answered_request_found(std::string(file->id));
            else
                submissions_.response_found(std::string(file->id));
        } else if (!present.contains(std::string(file_name(file->id, FileKind::response))) &&
                   !submissions_.is_by_file(std::string(file->id))) {
            unseen.push_back(name);
        }
    }
    for (const std::string& name : by_age(files_.submissions, unseen, FileKind::request))
        if (!files_.submissions.is_being_written(name)) submission_file_written(name);
    submissions_.find_removed_requests(present);
    files_.remove_leftovers();
}

}  // namespace pool_daemon
