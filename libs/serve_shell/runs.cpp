#include "serve_shell/runs.hpp"

#include "base/text.hpp"
#include "json/json.hpp"
#include "runs/record_counts.hpp"
#include "runs/run_json.hpp"
#include "runs/run_lookup.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <sys/stat.h>

namespace serve_shell {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t removals_kept = 100'000;
constexpr std::int64_t nanoseconds = 1'000'000'000;

std::array<std::int64_t, 4> signature_of(const std::string& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) return {};
    return {static_cast<std::int64_t>(status.st_dev), static_cast<std::int64_t>(status.st_ino),
            status.st_mtim.tv_sec * nanoseconds + status.st_mtim.tv_nsec, status.st_size};
}

// A change within the same tick of the clock would not change the time of a directory again.
bool may_change_unseen(std::int64_t modified) {
    auto now = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count() - modified < nanoseconds;
}

}  // namespace

base::Result<void> ServedRuns::refresh() {
    auto path = runs::runs_path();
    if (!path) return path.error();
    auto signature = signature_of(*path);
    bool is_complete = must_list_ || signature != directory_ || may_change_unseen(signature[2]);
    if (is_complete) {
        if (auto listed = list(*path); !listed) return listed;
        directory_ = signature;
        must_list_ = false;
    }
    for (auto& [directory, entry] : entries_)
        if (is_complete || !entry.is_settled) look(directory, entry);
    for (auto& [directory, entry] : entries_)
        if (entry.is_dirty) make_anew(entry);
    return {};
}

base::Result<void> ServedRuns::list(const std::string& path) {
    std::set<std::string> found;
    std::error_code failed;
    for (const auto& entry : fs::directory_iterator(path, failed))
        found.insert(entry.path().string());
    if (failed && failed != std::errc::no_such_file_or_directory)
        return base::Error{failed, base::concat("cannot list the runs in ", path, ": ", failed.message())};
    for (auto entry = entries_.begin(); entry != entries_.end();) {
        auto here = entry++;
        if (!found.contains(here->first)) remove(here);
    }
    for (const std::string& directory : found)
        entries_.try_emplace(directory);
    return {};
}

void ServedRuns::look(const std::string& path, Entry& entry) {
    auto signature = signature_of(path + "/" + runs::record_name);
    // Without a record, a run is what its log says.
    if (signature == Signature()) signature = signature_of(path + "/" + runs::state_log_name);
    if (signature != entry.signature) {
        entry.signature = signature;
        read(path, entry);
    }
    if (!entry.run || entry.is_settled) return;
    const runs::RunRecord& record = entry.run->found.record;
    // The log of a run that was resumed is locked by the one that goes on with it.
    bool is_resumed = successors_.contains(record.id);
    auto state = is_resumed ? runs::RunState::resumed : runs::own_state(entry.run->found);
    entry.is_settled = !is_living(state);
    if (entry.run->state != state) entry.is_dirty = true;
}

void ServedRuns::read(const std::string& path, Entry& entry) {
    auto found = runs::read_run(path);
    if (!found) return;  // it is being removed, or not complete yet
    if (found->record.is_damaged) runs::count_tasks(*found);
    if (entry.run) note_successor(entry.run->found.record, false);
    note_successor(found->record, true);
    paths_of_[found->record.id].insert(path);
    Run run;
    run.found = std::move(*found);
    entry.run = std::move(run);
    entry.is_settled = false;
    entry.is_dirty = true;
}

void ServedRuns::remove(Entries::iterator entry) {
    if (entry->second.run) {
        const runs::RunRecord& record = entry->second.run->found.record;
        auto paths = paths_of_.find(record.id);
        paths->second.erase(entry->first);
        if (paths->second.empty())
            forget(record);
        else
            mark_dirty(paths->second);
    }
    entries_.erase(entry);
}

void ServedRuns::forget(const runs::RunRecord& record) {
    note_successor(record, false);
    paths_of_.erase(record.id);
    removed_.emplace_back(++version_, record.id);
    if (removed_.size() > removals_kept) removed_.pop_front();
}

// The run that it resumes changes its state.
void ServedRuns::note_successor(const runs::RunRecord& record, bool is_there) {
    if (record.resumes.empty()) return;
    auto& list = successors_[record.resumes];
    std::pair key(record.started, record.id);
    if (is_there)
        list.emplace(key, record.id);
    else
        list.erase(key);
    if (list.empty()) successors_.erase(record.resumes);
    if (auto paths = paths_of_.find(record.resumes); paths != paths_of_.end()) mark_dirty(paths->second);
}

void ServedRuns::mark_dirty(const std::set<std::string>& paths) {
    for (const std::string& path : paths)
        if (auto entry = entries_.find(path); entry != entries_.end()) entry->second.is_dirty = true;
}

std::string ServedRuns::successor_of(const std::string& id) const {
    auto found = successors_.find(id);
    return found == successors_.end() ? "" : found->second.rbegin()->second;
}

void ServedRuns::make_anew(Entry& entry) {
    entry.is_dirty = false;
    if (!entry.run) return;
    Run& run = *entry.run;
    const runs::RunRecord& record = run.found.record;
    std::string successor = successor_of(record.id);
    run.state = state_of(record, runs::liveness_of(record), !successor.empty());
    run.json = runs::run_json(run.found, run.state);
    run.json.pop_back();
    run.json += base::concat(",\"resumed_by\":", successor.empty() ? "null" : json::quote(successor), "}");
    run.version = ++version_;
}

ServedRuns::Changes ServedRuns::since(std::uint64_t version) const {
    Changes changes;
    for (const auto& [path, entry] : entries_)
        if (entry.run && entry.run->version > version) changes.changed.push_back(&*entry.run);
    std::ranges::sort(changes.changed, [](const Run* one, const Run* other) {
        const runs::RunRecord& a = one->found.record;
        const runs::RunRecord& b = other->found.record;
        return std::pair(a.started, a.id) < std::pair(b.started, b.id);
    });
    for (const auto& [at, id] : removed_)
        if (at > version && version > 0) changes.removed.push_back(id);
    return changes;
}

const ServedRuns::Run* ServedRuns::find(std::string_view id) const {
    auto paths = paths_of_.find(std::string(id));
    if (paths == paths_of_.end()) return nullptr;
    auto entry = entries_.find(*paths->second.begin());
    return entry == entries_.end() || !entry->second.run ? nullptr : &*entry->second.run;
}

}  // namespace serve_shell
