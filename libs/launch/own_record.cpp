#include "launch/own_record.hpp"

#include "base/system_time.hpp"
#include "io/host_name.hpp"
#include "io/log.hpp"
#include "runs/user_name.hpp"
#include "version/program_version.hpp"

#include <filesystem>

namespace launch {

using Durability = runs::RunDirectory::Durability;

namespace {

// Empty if the config is a text, or in the state log.
std::string config_path(const std::string& config) {
    std::error_code ignored;
    bool is_file = !config.empty() && std::filesystem::is_regular_file(config, ignored);
    return is_file ? std::filesystem::absolute(config).lexically_normal().string() : "";
}

runs::RunRecord new_record(const RunOptions& options, const std::string& run_id,
                           std::vector<std::string> kept_options) {
    runs::RunRecord record;
    record.id = run_id;
    record.name = options.name;
    record.config = config_path(options.config);
    record.directory = options.directory;
    if (options.parameters) record.parameters = options.parameters->value;
    record.options = std::move(kept_options);
    record.user = runs::user_name();
    record.host = io::host_name();
    record.process = runs::this_process();
    record.version = version::program_version;
    record.started = base::system_time();
    return record;
}

}  // namespace

base::Result<OwnRecord> OwnRecord::create(const RunOptions& options, const std::string& run_id,
                                          std::vector<std::string> kept_options) {
    auto directory = runs::RunDirectory::create(run_id);
    if (!directory) return directory.error();
    return OwnRecord(std::move(*directory), new_record(options, run_id, std::move(kept_options)),
                     options.fsync != statelog::Fsync::never);
}

OwnRecord OwnRecord::without_directory(const RunOptions& options, const std::string& run_id,
                                       std::vector<std::string> kept_options) {
    return OwnRecord(std::nullopt, new_record(options, run_id, std::move(kept_options)), false);
}

void OwnRecord::set_resumed(const runs::RunRecord& earlier) {
    take_over(earlier);
    record_.resumes = earlier.id;
    record_.is_paused = earlier.is_paused;
}

void OwnRecord::set_retried(const runs::RunRecord& earlier, bool has_finished) {
    take_over(earlier);
    if (!has_finished) record_.resumes = earlier.id;
    record_.retries = earlier.id;
}

void OwnRecord::set_reused(const std::string& run_id) {
    record_.reuses = run_id;
}

// The config and the first task's value are not given again.
void OwnRecord::take_over(const runs::RunRecord& earlier) {
    record_.config = earlier.config;
    record_.parameters = earlier.parameters;
}

void OwnRecord::prepare(const std::string& log_path, const runs::TaskCounts& tasks) {
    record_.state_log = log_path;
    record_.tasks = tasks;
    if (!directory_) return;
    auto prepared = directory_->prepare(record_, is_synced_ ? Durability::written : Durability::none);
    is_prepared_ = prepared.has_value();
    note(prepared);
}

void OwnRecord::begun() {
    if (is_prepared_) note(directory_->publish(is_synced_ ? Durability::written : Durability::none));
}

void OwnRecord::update(const Figures& figures) {
    runs::RunRecord changed = record_;
    changed.tasks = figures.tasks;
    changed.usd = figures.usd;
    changed.price_list = figures.price_list;
    changed.busy_agents = figures.busy_agents;
    if (changed == record_) return;
    record_ = std::move(changed);
    write(Durability::whole);
}

base::Result<void> OwnRecord::set_paused(bool is_paused) {
    runs::RunRecord changed = record_;
    changed.is_paused = is_paused;
    auto written = directory_->write(changed, Durability::written);
    if (written || !is_paused) record_.is_paused = is_paused;
    return written;
}

void OwnRecord::ended(const runs::RunEnd& end) {
    record_.end = end;
    record_.busy_agents.reset();
    if (!directory_) return;
    auto written = directory_->write(record_, is_synced_ ? Durability::written : Durability::none);
    if (!written && directory_->write_in_place(record_)) return;
    note(written);
}

void OwnRecord::discard() const {
    if (directory_) directory_->discard();
}

// The state log has all that a resumed run needs, so the run goes on without its record.
void OwnRecord::write(Durability durability) {
    if (directory_) note(directory_->write(record_, is_synced_ ? durability : Durability::none));
}

void OwnRecord::note(const base::Result<void>& written) {
    if (!written && !has_failed_)
        io::log::warn(written.error().message, "; `barnum ps` may show an outdated state of this run");
    has_failed_ = !written;
}

}  // namespace launch
