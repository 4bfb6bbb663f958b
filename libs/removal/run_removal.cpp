#include "removal/run_removal.hpp"

#include "base/text.hpp"
#include "json/json.hpp"
#include "live_run/run_pool.hpp"
#include "pool_daemon/left_pool.hpp"
#include "pool_protocol/pool_directory.hpp"
#include "runs/record_from_log.hpp"
#include "runs/removal.hpp"
#include "runs/run_lookup.hpp"
#include "statelog/log_file.hpp"
#include "statelog/log_use.hpp"
#include "terminal/units.hpp"
#include "terminal/width.hpp"

#include <boost/system/errc.hpp>

#include <filesystem>
#include <optional>
#include <string_view>
#include <unistd.h>

namespace removal {

namespace {

namespace errc = boost::system::errc;
namespace fs = std::filesystem;

base::Error in_use(const runs::RunRecord& record) {
    std::vector<int> holders;
    if (auto log = statelog::open_log(record.state_log)) holders = statelog::use_of(log->get()).holders;
    if (holders.empty() && !record.end && runs::is_alive(record.process)) holders = {record.process.pid};
    return {errc::make_error_code(errc::resource_unavailable_try_again),
            holders.empty() ? std::string("the commands that it has left are still being ended")
                            : base::concat("process ", holders.front(),
                                           " is that run, one that resumes it, or a command that uses it")};
}

// The lock of its state log, unless there is no such file any more, or something else in its place.
base::Result<std::optional<statelog::OldLog>> lock_log(const runs::RunRecord& record) {
    std::error_code ignored;
    const fs::file_status found = fs::status(record.state_log, ignored);
    if (fs::exists(found) && !fs::is_regular_file(found)) return std::optional<statelog::OldLog>();
    // `barnum ps` and `barnum inspect` hold it for a moment.
    constexpr std::chrono::milliseconds moment{100};
    auto log = statelog::OldLog::open(record.state_log, {moment, {}});
    if (log) return std::optional(std::move(*log));
    if (log.error().code == errc::no_such_file_or_directory) return std::optional<statelog::OldLog>();
    if (log.error().code == errc::resource_unavailable_try_again) return in_use(record);
    return log.error();
}

bool has_log_elsewhere(const runs::FoundRun& run) {
    std::error_code ignored;
    return fs::path(run.record.state_log).parent_path() != fs::path(run.path) &&
           fs::exists(run.record.state_log, ignored);
}

// The own pools of the run, and of the first of the runs that it continues. The options say where pools are,
// unless it is the place that has no need of it; of a damaged run they are unknown.
std::vector<pool_protocol::PoolDirectory> pools_of(const runs::RunRecord& record) {
    constexpr std::string_view root_option = "--root=";
    std::string root = record.is_damaged ? "" : std::string(pool_protocol::default_root);
    for (const std::string& option : record.options)
        if (option.starts_with(root_option)) root = option.substr(root_option.size());
    if (!pool_protocol::locate(root, "")) return {};
    std::vector<pool_protocol::PoolDirectory> pools{live_run::own_pool(root, record.id)};
    auto first = statelog::open_log(record.state_log);
    auto line = first ? statelog::read_line(first->get(), record.state_log, 0) : std::string();
    auto known = line ? runs::record_from_log(*line) : std::nullopt;
    if (known && !known->id.empty() && known->id != record.id)
        pools.push_back(live_run::own_pool(root, known->id));
    return pools;
}

base::Result<void> remove_what_it_has(const runs::FoundRun& run) {
    if (runs::has_directory(run)) return runs::remove_run_directory(run.path);
    if (::unlink(run.path.c_str()) == 0) return {};
    return base::system_error(base::concat("cannot remove ", run.path));
}

}  // namespace

base::Result<RemovedRun> remove_run(const runs::FoundRun& run) {
    auto lock = lock_log(run.record);
    if (!lock) return lock.error();
    if (!run.record.end && runs::is_alive(run.record.process)) return in_use(run.record);
    RemovedRun removed{runs::space_of(run.path)};
    std::vector<pool_protocol::PoolDirectory> pools = pools_of(run.record);
    if (auto done = remove_what_it_has(run); !done) return done.error();
    for (const pool_protocol::PoolDirectory& pool : pools)
        if (auto done = pool_daemon::remove_pool_of(pool, run.record.state_log); !done)
            removed.left_pool = done.error();
    return removed;
}

std::string left_pool_text(const runs::FoundRun& run, const RemovedRun& removed) {
    if (!removed.left_pool) return "";
    return base::concat("run ", run.record.id, " is removed, but not its pool: ", removed.left_pool->message);
}

std::string removed_text(const runs::FoundRun& run, std::uint64_t bytes) {
    const runs::RunRecord& record = run.record;
    std::string name = record.name.empty() ? "" : base::concat(" (", record.name, ")");
    std::string text = base::concat(terminal::printable(record.id + name), ", ", terminal::size_text(bytes));
    if (has_log_elsewhere(run)) text += "\n  its state log is left: " + terminal::printable(record.state_log);
    return text;
}

std::string removed_json(const runs::FoundRun& run, std::uint64_t bytes) {
    const runs::RunRecord& record = run.record;
    std::string left =
        has_log_elsewhere(run) ? base::concat(",\"state_log_left\":", json::quote(record.state_log)) : "";
    return base::concat("{\"id\":", json::quote(record.id), ",\"name\":", json::quote(record.name),
                        ",\"bytes\":", bytes, left, "}");
}

std::string removed_member(const std::vector<std::string>& removed) {
    std::string out = "\"removed\":[";
    for (const std::string& run : removed)
        out += base::concat(out.back() == '[' ? "" : ",\n ", run);
    return out + "]";
}

}  // namespace removal
