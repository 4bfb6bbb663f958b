#include "base/byte_size.hpp"
#include "base/exit_code.hpp"
#include "base/system_time.hpp"
#include "base/text.hpp"
#include "cli/option_table.hpp"
#include "commands.hpp"
#include "fail.hpp"
#include "removal/removal_choice.hpp"
#include "removal/run_removal.hpp"
#include "runs/removal.hpp"
#include "runs/run_lookup.hpp"
#include "terminal/units.hpp"

#include <boost/program_options/errors.hpp>
#include <boost/system/errc.hpp>

#include <iostream>
#include <optional>
#include <string>
#include <vector>

namespace barnum {

namespace {

namespace errc = boost::system::errc;

constexpr const char* prune_details = R"(Examples:
  barnum prune
      Removes the runs that ended more than 30 days ago and cannot be resumed.
  barnum prune --older-than 12h
      Removes all runs that ended more than 12 hours ago, also those that could be resumed.
  barnum prune --max-size 20G
      Removes the oldest runs that cannot be resumed, until all runs together take no more than that on the disk.
  barnum prune --keep 20 --dry-run
      Says which runs would go if only the 20 newest were kept of those that cannot be resumed.

Runs that are running are never removed. With several of --older-than, --keep and --max-size, a run is removed only if
each of them allows it.
A state log in another place (--state-log) is left there. docs/runs.md says more.

Exit codes: 0 the runs were removed, even if there were none; 2 the command line is invalid; 74 the directory of the
runs cannot be read, or that of a run could not be removed.
)";

struct PruneArguments {
    std::optional<std::string> older_than;
    std::optional<std::size_t> keep;
    std::optional<std::string> max_size;
    bool dry_run = false;
    bool quiet = false;
    bool json = false;
};

const cli::OptionTable<PruneArguments>& prune_option_table() {
    using cli::into;
    static const cli::OptionTable<PruneArguments> table{
        {{"older-than", cli::text("AGE", "an age (for example 30d)"),
          "remove only runs that ended longer ago than that, a number with s, m, h, d or w; also those that "
          "can "
          "be resumed, which otherwise are kept (default: 30d, unless --keep or --max-size is given)"},
         into(&PruneArguments::older_than)},
        {{"keep", cli::whole_number("N", 0),
          "keep the N runs that were started last, of those that would be removed otherwise"},
         into(&PruneArguments::keep)},
        {{"max-size", cli::text("SIZE", "a size (for example 20G)"),
          "remove no more runs than are needed for all runs to take at most that on the disk, a number of "
          "bytes, or with k, M, G or T; the oldest go first"},
         into(&PruneArguments::max_size)},
        {{"dry-run", cli::none(), "say what would be removed, and remove nothing"},
         into(&PruneArguments::dry_run)},
        {{"quiet", cli::none(), "print nothing but errors"}, into(&PruneArguments::quiet)},
        {{"json", cli::none(), "print a JSON object: the runs that were removed, with their sizes"},
         into(&PruneArguments::json)}};
    return table;
}

runs::PruneRule rule_of(const PruneArguments& arguments) {
    runs::PruneRule rule{std::nullopt, arguments.keep};
    if (arguments.max_size) rule.max_bytes = base::parse_byte_size(*arguments.max_size);
    if (arguments.max_size && !rule.max_bytes)
        throw boost::program_options::error(base::concat("--max-size must be ", base::byte_size_form,
                                                         ", for example 20G, not '", *arguments.max_size,
                                                         "'"));
    if (!arguments.older_than) return rule;
    rule.older_than = runs::parse_age(*arguments.older_than);
    if (!rule.older_than)
        throw boost::program_options::error(
            base::concat("--older-than must be a whole number with s, m, h, d or w (for example 30d), not '",
                         *arguments.older_than, "'"));
    return rule;
}

// Several commands may remove a run at the same time: only one of them tells of it.
bool is_removed_by_other(const base::Error& error) {
    return error.code == errc::no_such_file_or_directory;
}

// Tells of the runs that are removed, or would be.
class Told {
  public:
    explicit Told(const PruneArguments& arguments) : arguments_(arguments) {}

    void run(const runs::FoundRun& run, std::uint64_t bytes) {
        ++runs_;
        bytes_ += bytes;
        if (arguments_.json)
            as_json_.push_back(removal::removed_json(run, bytes));
        else if (!arguments_.quiet)
            std::cout << verb() << removal::removed_text(run, bytes) << "\n";
    }

    // Directories that have no record and no log.
    void abandoned(std::size_t count) {
        abandoned_ = count;
        if (count == 0 || arguments_.json || arguments_.quiet) return;
        std::cout << verb()
                  << (count == 1 ? "the directory of a run that was"
                                 : base::concat("the directories of ", count, " runs that were"))
                  << " killed at the start\n";
    }

    void sum() const {
        if (arguments_.json)
            std::cout << "{\"dry_run\":" << (arguments_.dry_run ? "true" : "false") << ",\"bytes\":" << bytes_
                      << ",\"abandoned\":" << abandoned_ << ",\n"
                      << removal::removed_member(as_json_) << "}\n";
        else if (!arguments_.quiet)
            std::cout << verb() << base::counted(runs_, "run") << ", " << terminal::size_text(bytes_) << "\n";
    }

  private:
    const char* verb() const { return arguments_.dry_run ? "would remove " : "removed "; }

    const PruneArguments& arguments_;
    std::size_t runs_ = 0;
    std::uint64_t bytes_ = 0;
    std::size_t abandoned_ = 0;
    std::vector<std::string> as_json_;
};

int remove(const runs::FoundRun& run, bool is_dry_run, Told& told) {
    auto removed = is_dry_run
                       ? base::Result<removal::RemovedRun>(removal::RemovedRun{runs::space_of(run.path)})
                       : removal::remove_run(run);
    if (removed) {
        told.run(run, removed->bytes);
        return removed->left_pool ? fail(base::ExitCode::io_error, removal::left_pool_text(run, *removed))
                                  : base::ExitCode::ok;
    }
    if (is_removed_by_other(removed.error())) return base::ExitCode::ok;
    bool is_in_use = removed.error().code == errc::resource_unavailable_try_again;
    return fail(is_in_use ? base::ExitCode::ok : base::ExitCode::io_error,
                base::concat("run ", run.record.id, " is not removed: ", removed.error().message));
}

// Nothing is lost with them, so that a day is enough: a run that is starting has its log long before.
int remove_abandoned(runs::Time now, bool is_dry_run, Told& told) {
    std::size_t count = 0;
    int code = base::ExitCode::ok;
    for (const std::string& path : runs::abandoned_directories(now - std::chrono::days(1))) {
        auto removed = is_dry_run ? base::Result<void>() : runs::remove_run_directory(path);
        if (removed)
            ++count;
        else if (!is_removed_by_other(removed.error()))
            code = fail(base::ExitCode::io_error,
                        base::concat(path, " is not removed: ", removed.error().message));
    }
    told.abandoned(count);
    return code;
}

int prune(const cli::Options& given) {
    PruneArguments arguments = cli::read(prune_option_table(), given);
    if (arguments.quiet && arguments.json)
        throw boost::program_options::error(
            "--quiet and --json cannot be combined: the first prints nothing, the second what was removed");
    runs::PruneRule rule = rule_of(arguments);
    auto found = runs::find_runs();
    if (!found) return fail(base::ExitCode::io_error, found.error().message);
    int code = base::ExitCode::ok;
    Told told(arguments);
    for (const runs::FoundRun& run : removal::runs_to_prune(std::move(*found), rule))
        code = std::max(code, remove(run, arguments.dry_run, told));
    code = std::max(code, remove_abandoned(base::system_time(), arguments.dry_run, told));
    told.sum();
    return code;
}

}  // namespace

cli::Command prune_command() {
    return {"prune", "Remove old runs.", prune_details, cli::options_of(prune_option_table()), prune};
}

}  // namespace barnum
