#include "runs/run_directories.hpp"

#include "base/state_home.hpp"
#include "base/text.hpp"
#include "io/directory.hpp"
#include "io/file_calls.hpp"
#include "runs/record_from_log.hpp"
#include "statelog/log_use.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace runs {

namespace {

constexpr std::size_t largest_record = 1 << 26;  // more than the options of a command line can make
constexpr std::string_view advice = "choose another directory with BARNUM_RUNS";
constexpr std::size_t growth_of_record = 512;   // bytes, at the end of a run
constexpr std::uint64_t bytes_per_block = 512;  // of st_blocks, whatever the file system's is

// Empty if it cannot be read, or is too long.
std::string first_line_of(const std::string& path) {
    io::UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    auto line = fd ? statelog::read_line(fd.get(), path, 0, largest_record) : base::system_error(path);
    return line ? std::move(*line) : std::string();
}

// Field 22 of proc(5)'s stat, counted after the name, which may contain anything. 0 for a process that has
// ended and of which its parent has not taken note.
std::uint64_t start_of(const std::string& stat) {
    constexpr int fields_before = 20;
    std::size_t at = stat.rfind(')');
    if (at != std::string::npos && stat.compare(at, 3, ") Z") == 0) return 0;
    for (int i = 0; i < fields_before && at != std::string::npos; ++i)
        at = stat.find(' ', at + 1);
    if (at == std::string::npos) return 0;
    std::uint64_t ticks = 0;
    std::from_chars(stat.data() + at + 1, stat.data() + stat.size(), ticks);
    return ticks;
}

// The epoch if there is no such file.
Time modified(const std::string& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) return {};
    return Time(std::chrono::seconds(status.st_mtim.tv_sec));
}

// Room for the end of the run, which is written in place if the disk is full by then.
void reserve(int fd, std::size_t size) {
    ::fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, static_cast<off_t>(size));  // not every file system can
}

base::Result<void> write_file(const std::string& path, std::string_view text, bool is_synced) {
    constexpr mode_t mode = S_IRUSR | S_IWUSR;
    io::UniqueFd fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, mode));
    if (!fd || ::fchmod(fd.get(), mode) != 0) return base::system_error(base::concat("cannot write ", path));
    reserve(fd.get(), text.size() + growth_of_record);
    auto calls = io::FileCalls::real();
    auto written = io::write_all(calls, fd.get(), text);
    if (written && is_synced) written = io::sync(calls.fdatasync, fd.get());
    return written ? written : base::with_context(base::concat("cannot write ", path), written.error());
}

base::Result<void> sync_directory(const std::string& path) {
    io::UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!fd || ::fsync(fd.get()) != 0) return base::system_error(base::concat("cannot sync ", path));
    return {};
}

std::optional<RunRecord> read_record(const std::string& directory, const char* name) {
    auto text = io::read_regular_file(directory + "/" + name, largest_record);
    auto record = text ? parse_run_record(*text) : std::nullopt;
    if (record) record = as_read_in(directory, std::move(*record));
    return record;
}

// A run without a state log has not begun. A record that is there, but cannot be read, may be a newer one.
std::optional<RunRecord> prepared_record(const std::string& directory) {
    std::error_code ignored;
    if (std::filesystem::exists(directory + "/" + record_name, ignored)) return std::nullopt;
    auto record = read_record(directory, prepared_record_name);
    bool has_begun = record && std::filesystem::exists(record->state_log, ignored);
    return has_begun ? record : std::nullopt;
}

// Nobody knows what is in it: it has lost its mode, or another user has made it.
bool is_closed(const std::string& directory) {
    std::error_code ignored;
    return std::filesystem::is_directory(directory, ignored) && ::access(directory.c_str(), X_OK) != 0;
}

// Nothing if it is not a run's directory.
std::optional<FoundRun> damaged_run(const std::string& path) {
    std::string log = path + "/" + state_log_name;
    std::error_code ignored;
    bool has_log = std::filesystem::is_regular_file(log, ignored);
    bool has_record = std::filesystem::exists(path + "/" + record_name, ignored);
    auto known = has_log ? record_from_log(first_line_of(log)) : std::nullopt;
    std::string name = std::filesystem::path(path).filename().string();
    bool is_named = is_run_id(name) && (has_log || has_record || is_closed(path));
    if (!is_named && (!known || known->id.empty())) return std::nullopt;
    RunRecord record = known.value_or(RunRecord());
    if (is_named) record.id = name;
    record.state_log = std::move(log);
    record.is_damaged = true;
    if (record.started == Time()) record.started = modified(path);
    return FoundRun{path, std::move(record)};
}

// Links of the user's are followed; the directory to which they lead is checked.
base::Result<std::string> real_path(const std::string& path) {
    std::error_code failed;
    std::string real = std::filesystem::weakly_canonical(path, failed).string();
    if (failed) return base::Error{failed, base::concat("cannot find ", path, ": ", failed.message())};
    return real;
}

void sort_by_start(std::vector<FoundRun>& found) {
    std::ranges::sort(found, [](const FoundRun& one, const FoundRun& other) {
        return std::pair(one.record.started, one.record.id) <
               std::pair(other.record.started, other.record.id);
    });
}

}  // namespace

base::Result<std::string> runs_path() {
    const char* own = std::getenv("BARNUM_RUNS");
    if (own && *own != '\0') return std::filesystem::absolute(own).lexically_normal().string();
    std::string home = base::state_home();
    if (home.empty())
        return base::invalid("there is no home directory; set BARNUM_RUNS to a directory for runs");
    return home + "/barnum/runs";
}

base::Result<RunDirectory> RunDirectory::create(const std::string& run_id) {
    auto parent = runs_path();
    if (!parent) return parent.error();
    auto real = real_path(*parent);
    if (!real) return real.error();
    for (const std::string& path : {*real, *real + "/" + run_id})
        if (auto made = io::Directory::make(path, advice); !made) return made.error();
    return RunDirectory(*parent + "/" + run_id);
}

base::Result<void> RunDirectory::write(const RunRecord& record, Durability durability) const {
    auto prepared = prepare(record, durability);
    return prepared ? publish(durability) : prepared;
}

base::Result<void> RunDirectory::prepare(const RunRecord& record, Durability durability) const {
    std::string path = path_ + "/" + prepared_record_name;
    auto written = write_file(path, to_json(as_written_in(path_, record)), durability != Durability::none);
    if (!written) ::unlink(path.c_str());
    return written;
}

base::Result<void> RunDirectory::publish(Durability durability) const {
    std::string path = path_ + "/" + record_name;
    if (::rename((path_ + "/" + prepared_record_name).c_str(), path.c_str()) != 0)
        return base::system_error(base::concat("cannot write ", path));
    return durability == Durability::written ? sync_directory(path_) : base::Result<void>();
}

void RunDirectory::discard() const {
    ::unlink((path_ + "/" + prepared_record_name).c_str());
    ::rmdir(path_.c_str());
}

base::Result<void> RunDirectory::write_in_place(const RunRecord& record) const {
    std::string path = path_ + "/" + record_name;
    std::string text = to_json(as_written_in(path_, record));
    io::UniqueFd fd(::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW));
    auto failed = [&] { return base::system_error(base::concat("cannot write ", path)); };
    struct stat status {};
    if (!fd || ::fstat(fd.get(), &status) != 0) return failed();
    errno = ENOSPC;
    if (text.size() > static_cast<std::uint64_t>(status.st_blocks) * bytes_per_block) return failed();
    auto calls = io::FileCalls::real();
    if (auto written = io::write_all(calls, fd.get(), text); !written)
        return base::with_context(base::concat("cannot write ", path), written.error());
    if (::ftruncate(fd.get(), static_cast<off_t>(text.size())) != 0) return failed();
    return io::sync(calls.fdatasync, fd.get());
}

std::optional<FoundRun> read_run(const std::string& path) {
    auto record = read_record(path, record_name);
    if (!record) record = prepared_record(path);
    if (!record) record = read_record(path, record_name);  // it may have been published meanwhile
    return record ? FoundRun{path, std::move(*record)} : damaged_run(path);
}

base::Result<std::vector<FoundRun>> find_runs() {
    auto path = runs_path();
    if (!path) return path.error();
    std::vector<FoundRun> found;
    auto real = real_path(*path);
    if (!real) return real.error();
    auto opened = io::Directory::open(*real, advice);
    if (!opened && opened.error().code == std::errc::no_such_file_or_directory) return found;
    auto names = opened ? opened->names() : opened.error();
    if (!names) return base::with_context("cannot list the runs", names.error());
    for (const std::string& name : *names)
        if (auto run = read_run(*path + "/" + name)) found.push_back(std::move(*run));
    sort_by_start(found);
    return found;
}

std::vector<FoundRun> find_runs_without_directory() {
    std::vector<FoundRun> found;
    const char* own = std::getenv("BARNUM_RUNS");
    auto path = runs_path();
    if ((own && *own != '\0') || !path) return found;
    std::error_code failed;
    for (const auto& entry :
         std::filesystem::directory_iterator(std::filesystem::path(*path).parent_path(), failed)) {
        const std::filesystem::path& log = entry.path();
        std::error_code ignored;
        bool is_log =
            log.extension() == ".ndjson" && is_run_id(log.stem().string()) && entry.is_regular_file(ignored);
        auto record = is_log ? record_from_log(first_line_of(log.string())) : std::nullopt;
        if (!record) continue;
        record->id = log.stem().string();
        record->state_log = log.string();
        found.push_back({log.string(), std::move(*record)});
    }
    sort_by_start(found);
    return found;
}

std::vector<std::string> abandoned_directories(Time before) {
    std::vector<std::string> found;
    auto path = runs_path();
    if (!path) return found;
    std::error_code failed;
    for (const auto& entry : std::filesystem::directory_iterator(*path, failed)) {
        std::error_code ignored;
        bool is_run = entry.is_directory(ignored) && !entry.is_symlink(ignored) &&
                      is_run_id(entry.path().filename().native());
        std::string directory = entry.path().string();
        if (is_run && modified(directory) < before && !read_run(directory)) found.push_back(directory);
    }
    return found;
}

Time end_of(const FoundRun& run) {
    if (run.record.end) return run.record.end->time;
    return std::max(
        {run.record.started, modified(run.path + "/" + record_name), modified(run.record.state_log)});
}

std::string output_path(const std::string& run_path) {
    return run_path + "/output";
}

ProcessIdentity this_process() {
    return {static_cast<int>(::getpid()), start_of(first_line_of("/proc/self/stat")), boot_id()};
}

bool is_alive(const ProcessIdentity& process) {
    if (process.pid <= 0 || process.start == 0 || process.boot_id != boot_id()) return false;
    return start_of(first_line_of(base::concat("/proc/", process.pid, "/stat"))) == process.start;
}

bool is_stopped(const ProcessIdentity& process) {
    if (!is_alive(process)) return false;
    std::string stat = first_line_of(base::concat("/proc/", process.pid, "/stat"));
    std::size_t at = stat.rfind(')');
    return at != std::string::npos && stat.compare(at, 3, ") T") == 0;
}

std::string boot_id() {
    return first_line_of("/proc/sys/kernel/random/boot_id");
}

}  // namespace runs
