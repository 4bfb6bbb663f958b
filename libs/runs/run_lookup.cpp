#include "runs/run_lookup.hpp"

#include "base/current_directory.hpp"
#include "base/text.hpp"
#include "io/directory.hpp"
#include "runs/record_from_log.hpp"
#include "runs/run_reference.hpp"
#include "statelog/later_log.hpp"
#include "statelog/log_file.hpp"
#include "statelog/log_use.hpp"

#include <algorithm>
#include <filesystem>
#include <ranges>
#include <unordered_set>
#include <utility>
#include <vector>

namespace runs {

namespace {

namespace fs = std::filesystem;

std::string absolute_path(const std::string& path) {
    std::error_code failed;
    fs::path real = fs::weakly_canonical(path, failed);
    return failed ? path : real.string();
}

// Empty if the log does not tell, or is none.
std::string first_run_of(const std::string& log) {
    auto fd = statelog::open_log(log);
    auto line = fd ? statelog::read_line(fd->get(), log, 0) : fd.error();
    auto told = line ? record_from_log(*line) : std::nullopt;
    return told ? told->id : "";
}

// A run may continue one whose directory was removed by hand. Then it continues the last one before it of
// those that are there, so that nobody does again what it has done.
void bridge_gaps(std::vector<RunRecord>& records) {
    std::unordered_set<std::string> ids;
    for (const RunRecord& record : records)
        ids.insert(record.id);
    for (RunRecord& record : records) {
        if (record.resumes.empty() || ids.contains(record.resumes)) continue;
        const std::string first = first_run_of(record.state_log);
        if (first == record.id || !ids.contains(first)) continue;
        auto last = last_in_chain(records, first);
        if (!last || records[*last].id != record.id) record.resumes = last ? records[*last].id : first;
    }
}

// The records in the order of the runs' starts.
std::vector<RunRecord> records_of(const std::vector<FoundRun>& found) {
    std::vector<RunRecord> records;
    for (const FoundRun& run : found)
        records.push_back(run.record);
    bridge_gaps(records);
    return records;
}

bool is_same_file(const std::string& one, const std::string& other) {
    std::error_code ignored;
    return one == other || fs::equivalent(one, other, ignored);
}

base::Result<NamedRun> in_directory(const std::string& directory) {
    auto opened = io::Directory::open(absolute_path(directory), "copy it to a directory of your own");
    if (!opened) return opened.error();
    auto run = read_run(opened->path());
    if (!run)
        return base::invalid(
            base::concat(directory,
                         " is not the directory of a run: there is neither a run.json nor a state.ndjson in "
                         "it"));
    std::string log = run->record.state_log;
    return NamedRun{std::move(log), std::move(run)};
}

base::Result<NamedRun> named_among(std::vector<FoundRun> found, const std::string& reference) {
    auto current = base::current_directory();
    auto index = find_run(reference, records_of(found), current ? *current : "");
    if (!index) return index.error();
    std::string log = found[*index].record.state_log;
    return NamedRun{std::move(log), std::move(found[*index])};
}

// Finds the run by an id, a name, "last" or "@".
base::Result<NamedRun> named_run(const std::string& reference) {
    auto found = find_runs();
    if (!found) return found.error();
    auto run = named_among(std::move(*found), reference);
    bool is_unknown = !run && run.error().code == std::errc::no_such_file_or_directory;
    if (!is_unknown || reference == "last" || reference == "@") return run;
    auto earlier = named_among(find_runs_without_directory(), reference);
    return earlier ? earlier : run;
}

}  // namespace

base::Result<NamedRun> find_named_run(const std::string& reference) {
    std::error_code ignored;
    const bool is_path = reference.find('/') != std::string::npos;
    if (fs::is_directory(reference, ignored)) {
        auto run = in_directory(reference);
        if (run || is_path) return run;
        auto named = named_run(reference);  // the directory has the name of a run by chance
        return named ? named : run;
    }
    if (!is_path && !fs::exists(reference, ignored)) return named_run(reference);
    NamedRun of_log{reference, run_of_log(reference)};
    if (is_path || of_log.found || !first_run_of(reference).empty()) return of_log;
    auto named = named_run(reference);  // the file has the name of a run by chance
    return named ? named : of_log;
}

bool has_directory(const FoundRun& run) {
    return run.path != run.record.state_log;
}

std::optional<FoundRun> run_of_log(const std::string& log) {
    std::string path = absolute_path(log);
    auto beside = read_run(fs::path(path).parent_path().string());
    if (beside && is_same_file(beside->record.state_log, path)) return beside;
    auto found = find_runs();
    if (!found) return std::nullopt;
    auto without_directory = find_runs_without_directory();
    for (auto* list : {&*found, &without_directory})
        for (FoundRun& run : *list | std::views::reverse)
            if (is_same_file(run.record.state_log, path)) return std::move(run);
    return std::nullopt;
}

std::optional<FoundRun> run_of_moved_log(const std::string& first_run_id) {
    auto found = find_runs();
    if (!found || first_run_id.empty()) return std::nullopt;
    auto newest = last_in_chain(records_of(*found), first_run_id);
    const std::string newest_id = newest ? (*found)[*newest].record.id : first_run_id;
    for (FoundRun& run : *found) {
        bool is_newest = run.record.id == newest_id;
        std::error_code ignored;
        if (is_newest && !run.record.end && liveness_of(run.record) == Liveness::alive) return std::nullopt;
        if (is_newest && !fs::exists(run.record.state_log, ignored)) return std::move(run);
    }
    return std::nullopt;
}

std::optional<std::string> later_log_of(const std::string& log) {
    auto run = run_of_log(log);
    auto latest = run ? run_that_continues(run->record.id) : std::nullopt;
    return latest ? latest->record.state_log : statelog::later_log(log);
}

std::optional<FoundRun> run_that_continues(const std::string& id) {
    auto found = find_runs();
    if (!found) return std::nullopt;
    auto latest = last_in_chain(records_of(*found), id);
    return latest ? std::optional(std::move((*found)[*latest])) : std::nullopt;
}

namespace {

// A run writes its end before its process ends: without an end, what was read may be older than that.
RunState state_now(FoundRun& run, bool is_resumed) {
    auto liveness = liveness_of(run.record);
    if (liveness == Liveness::dead && !run.record.end && !run.record.is_damaged && has_directory(run))
        if (auto now = read_run(run.path); now && now->record.end) run = std::move(*now);
    return state_of(run.record, liveness, is_resumed);
}

}  // namespace

Liveness liveness_of(const RunRecord& record) {
    if (record.end) return Liveness::dead;
    if (is_alive(record.process)) return Liveness::alive;
    auto fd = statelog::open_log(record.state_log);
    bool is_alive = fd && statelog::use_of(fd->get()).use != statelog::Use::free;
    return is_alive ? Liveness::alive : Liveness::dead;
}

RunState own_state(FoundRun& run) {
    return state_now(run, false);
}

// One that lives or has finished is continued by none, which saves reading all records.
RunState current_state(FoundRun& run) {
    RunState state = own_state(run);
    bool is_process_there = !run.record.end && is_alive(run.record.process);
    if (is_process_there || state == RunState::finished) return state;
    return run_that_continues(run.record.id) ? RunState::resumed : state;
}

std::vector<RunState> current_states(std::vector<FoundRun>& found) {
    std::unordered_set<std::string> resumed;
    for (RunRecord& record : records_of(found))
        resumed.insert(std::move(record.resumes));
    std::vector<RunState> states;
    for (FoundRun& run : found)
        states.push_back(state_now(run, resumed.contains(run.record.id)));
    return states;
}

std::vector<RunRecord> living_runs_like(const RunRecord& own) {
    std::vector<RunRecord> living;
    if (own.config.empty()) return living;
    auto found = find_runs();
    if (!found) return living;
    for (FoundRun& run : *found) {
        const RunRecord& other = run.record;
        bool is_like = other.config == own.config && other.directory == own.directory;
        // The log of an earlier run is locked by the one that continues it.
        bool is_same = other.id == own.id || other.id == own.resumes || other.id == own.retries;
        if (is_like && !is_same && liveness_of(other) == Liveness::alive)
            living.push_back(std::move(run.record));
    }
    return living;
}

bool is_alive(const FoundRun& run) {
    FoundRun now = read_run(run.path).value_or(run);
    return is_living(current_state(now));
}

}  // namespace runs
