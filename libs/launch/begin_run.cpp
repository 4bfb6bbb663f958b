#include "launch/begin_run.hpp"

#include "base/text.hpp"
#include "io/log.hpp"
#include "io/signals.hpp"
#include "pool_client/new_id.hpp"
#include "runs/kept_answers.hpp"
#include "runs/run_lookup.hpp"
#include "statelog/initial_records.hpp"
#include "statelog/record.hpp"
#include "version/program_version.hpp"
#include "workflow/counts.hpp"

#include <boost/system/errc.hpp>

#include <filesystem>
#include <utility>
#include <vector>

namespace launch {

namespace errc = boost::system::errc;

namespace {

constexpr std::string_view log_remedy = "; give the state log a place with --state-log FILE";

// Without a directory a run goes on if it has a place for its log.
base::Result<OwnRecord> make_record(const RunOptions& options, const std::string& run_id,
                                    std::vector<std::string> kept_options) {
    auto record = OwnRecord::create(options, run_id, kept_options);
    if (record) return record;
    if (options.detach)
        return base::Error{record.error().code,
                           base::concat(record.error().message, "; a detached run has its log there")};
    if (!options.state_log)
        return base::Error{record.error().code, base::concat(record.error().message, log_remedy)};
    io::log::warn(record.error().message, "; `barnum ps` will not show this run");
    return OwnRecord::without_directory(options, run_id, std::move(kept_options));
}

std::optional<statelog::Reuses> reused_by(const RunPlan& plan) {
    return plan.reuse ? std::optional(plan.reuse->source) : std::nullopt;
}

// `plan` has an earlier run.
base::Result<statelog::LogFile> create_from(const std::string& path, const std::string& run_id,
                                            const RunPlan& plan, std::string answers) {
    const EarlierRun& earlier = *plan.earlier;
    statelog::TakenOver content{"", earlier.parts, std::move(answers)};
    if (earlier.is_retried) {
        statelog::Header header{plan.config->resolved, plan.config->directory, run_id, earlier.initial_tasks};
        header.reuses = reused_by(plan);
        header.version = version::program_version;
        statelog::append_header(content.head, header, statelog::now());
    } else if (earlier.header) {
        statelog::Header header = *earlier.header;
        header.version = version::program_version;
        statelog::append_header(content.head, header, header.time.value_or(statelog::now()));
    }
    if (earlier.has_checksums) return statelog::LogFile::create_from(path, earlier.log, content);
    return statelog::LogFile::create_with_checksums(path, earlier.log, content);
}

std::optional<runs::FoundRun> earlier_run(const EarlierRun& earlier) {
    auto found = runs::run_of_log(earlier.log.path());
    return found ? found : runs::run_of_moved_log(earlier.first_run_id);
}

void set_earlier(OwnRecord& record, const runs::RunRecord& earlier, const EarlierRun& run) {
    if (run.is_retried)
        record.set_retried(earlier, run.has_finished);
    else
        record.set_resumed(earlier);
}

}  // namespace

base::Result<std::string> log_place(const RunOptions& options) {
    auto path = std::filesystem::path();
    if (options.state_log) {
        path = std::filesystem::absolute(*options.state_log);
    } else {
        auto directory = runs::runs_path();
        if (!directory)
            return base::Error{directory.error().code, base::concat(directory.error().message, log_remedy)};
        path = std::filesystem::path(*directory) / "<run-id>" / runs::state_log_name;
    }
    auto checked = std::filesystem::path(path);
    std::error_code ignored;
    if (!options.state_log)  // directories that would be made, up to the first that is there
        while (checked.has_relative_path() && !std::filesystem::exists(checked.parent_path(), ignored))
            checked = checked.parent_path();
    if (auto possible = statelog::LogFile::check_place(checked.string()); !possible) return possible.error();
    return path.string();
}

std::string transcripts_directory(const RunOptions& options, const std::string& log_path) {
    if (options.transcripts == "none") return "";
    if (!options.transcripts.empty()) return std::filesystem::absolute(options.transcripts).string();
    return std::filesystem::path(log_path).replace_extension("transcripts").string();
}

Refusal::Kind kind_for_log(const base::Error& error) {
    // What is there already, or is in use, is for the user to decide; anything else is the disk's fault.
    bool refused = error.code == errc::file_exists || error.code == errc::resource_unavailable_try_again ||
                   error.code == errc::invalid_argument;
    return refused ? Refusal::Kind::wrong_usage : Refusal::Kind::io_error;
}

// It is allowed, but may be a mistake.
void tell_of_others(const runs::RunRecord& own) {
    auto others = runs::living_runs_like(own);
    if (others.empty()) return;
    io::log::info(others.size() == 1
                      ? std::string("another run of this config is running in this directory: ")
                      : base::concat(others.size(),
                                     " other runs of this config are running in this directory, the "
                                     "newest is "),
                  others.back().id, "; `barnum ps` lists them");
}

std::variant<Beginning, Refusal> begin_run(const RunOptions& options, RunPlan plan,
                                           std::vector<std::string> kept_options) {
    auto earlier = plan.earlier ? earlier_run(*plan.earlier) : std::nullopt;
    auto answers = earlier ? runs::take_answers(*plan.config, plan.start, earlier->path)
                           : base::Result<std::string>(std::string());
    if (!answers) return io_error(answers.error().message);
    std::string run_id = pool_client::new_id();
    auto record = make_record(options, run_id, std::move(kept_options));
    if (!record) return io_error(record.error().message);
    std::string path = options.state_log ? std::filesystem::absolute(*options.state_log).string()
                                         : record->default_log_path();
    io::block_ending_signals();
    workflow::Counts counts = workflow::counts_of(plan.start.state);
    if (earlier) set_earlier(*record, earlier->record, *plan.earlier);
    if (plan.reuse) record->set_reused(plan.reuse->source.run_id);
    record->prepare(path, {counts.done, counts.left, counts.dropped});
    auto log = plan.earlier ? create_from(path, run_id, plan, std::move(*answers))
                            : statelog::LogFile::create(
                                  path, statelog::initial_records(*plan.config, run_id, plan.first,
                                                                  reused_by(plan), version::program_version));
    if (!log) {
        record->discard();
        return Refusal{kind_for_log(log.error()), log.error().message};
    }
    record->begun();
    std::string earlier_id = plan.earlier ? plan.earlier->first_run_id : "";
    bool is_retry = plan.earlier && plan.earlier->is_retried;
    std::string first_run_id = is_retry || earlier_id.empty() ? run_id : earlier_id;
    std::optional<statelog::OldLog> resumed;
    if (plan.earlier) resumed = std::move(plan.earlier->log);
    return Beginning{std::move(run_id),      std::move(first_run_id), is_retry ? earlier_id : "",
                     std::move(plan.config), std::move(plan.start),   std::move(*log),
                     std::move(resumed),     std::move(*record),      std::move(plan.reuse)};
}

}  // namespace launch
