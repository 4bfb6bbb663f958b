#include "base/exit_code.hpp"
#include "base/text.hpp"
#include "cli/option_table.hpp"
#include "commands.hpp"
#include "fail.hpp"
#include "removal/removal_choice.hpp"
#include "removal/run_removal.hpp"
#include "run_argument.hpp"
#include "runs/run_directories.hpp"
#include "runs/run_lookup.hpp"

#include <boost/system/errc.hpp>

#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

namespace barnum {

namespace {

namespace errc = boost::system::errc;

constexpr const char* rm_details = R"(Examples:
  barnum rm last
      Removes the directory of the run that was started last, with its state log.
  barnum rm 7d1c nightly
      Removes two runs. docs/runs.md explains how runs are named.

A run that is running is not removed, nor one that is being resumed, nor one that was killed and whose commands are
still being ended, nor one that continues a run and is continued by another, unless the first one is removed as well.
With a run that was killed, the pool of its agents is removed. A state log in another place (--state-log) is left there.
What was removed cannot be resumed or inspected any more.

Exit codes: 0 the runs were removed; 1 a run is running, and the others were removed; 2 the command line is invalid, or
there is no such run, or one stands between two others, and nothing was removed; 74 a directory could not be removed.
)";

struct RmArguments {
    std::vector<std::string> runs;
    bool json = false;
};

const cli::OptionTable<RmArguments>& rm_option_table() {
    static const cli::OptionTable<RmArguments> table{
        {run_list_argument("a run to remove; several may be given"), cli::into(&RmArguments::runs)},
        {{"json", cli::none(), "print a JSON object: the runs that were removed, with their sizes"},
         cli::into(&RmArguments::json)}};
    return table;
}

// Finds each of the runs once.
base::Result<std::vector<runs::FoundRun>> find(const std::vector<std::string>& references) {
    std::vector<runs::FoundRun> found;
    for (const std::string& reference : references) {
        auto named = runs::find_named_run(reference);
        if (!named) return named.error();
        if (!named->found)
            return base::invalid(base::concat(
                reference,
                " is not the state log of a run with a directory: there is nothing else to remove"));
        bool is_new = std::ranges::none_of(
            found, [&](const runs::FoundRun& run) { return run.path == named->found->path; });
        if (is_new) found.push_back(std::move(*named->found));
    }
    return found;
}

// `removed`: for --json, in place of the text.
int remove(const runs::FoundRun& run, std::vector<std::string>* removed) {
    auto done = removal::remove_run(run);
    if (done) {
        if (removed != nullptr)
            removed->push_back(removal::removed_json(run, done->bytes));
        else
            std::cout << "removed " << removal::removed_text(run, done->bytes) << "\n";
        return done->left_pool ? fail(base::ExitCode::io_error, removal::left_pool_text(run, *done))
                               : base::ExitCode::ok;
    }
    const base::Error& error = done.error();
    if (error.code == errc::no_such_file_or_directory) {
        if (removed == nullptr) std::cout << "run " << run.record.id << " was removed by another command\n";
        return base::ExitCode::ok;
    }
    bool is_in_use = error.code == errc::resource_unavailable_try_again;
    return fail(is_in_use ? base::ExitCode::failure : base::ExitCode::io_error,
                base::concat("run ", run.record.id, " is not removed: ", error.message));
}

int rm(const cli::Options& given) {
    RmArguments arguments = cli::read(rm_option_table(), given);
    auto found = find(arguments.runs);
    if (!found) return fail(base::ExitCode::usage, found.error().message);
    if (std::string why = removal::why_not_removed(*found); !why.empty())
        return fail(base::ExitCode::usage, why);
    int code = base::ExitCode::ok;
    std::vector<std::string> removed;
    for (const runs::FoundRun& run : *found)
        code = std::max(code, remove(run, arguments.json ? &removed : nullptr));
    if (arguments.json)
        std::cout << "{" << removal::removed_member(removed) << "}\n";
    else
        for (const std::string& line : removal::earlier_runs_left(*found))
            std::cout << line << "\n";
    return code;
}

}  // namespace

cli::Command rm_command() {
    return {"rm", "Remove runs that have ended.", rm_details, cli::options_of(rm_option_table()), rm};
}

}  // namespace barnum
