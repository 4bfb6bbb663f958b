#include "base/exit_code.hpp"
#include "base/text.hpp"
#include "cli/option_table.hpp"
#include "commands.hpp"
#include "commands/runs/run_removal.hpp"
#include "fail.hpp"
#include "run_argument.hpp"
#include "runs/run_directories.hpp"
#include "runs/run_lookup.hpp"
#include "runs/run_reference.hpp"
#include "terminal/width.hpp"

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

// Each of them once.
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
    auto done = remove_run(run);
    if (done) {
        if (removed != nullptr)
            removed->push_back(removed_json(run, done->bytes));
        else
            std::cout << "removed " << removed_text(run, done->bytes) << "\n";
        return code_after(run, *done);
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

// Empty if all of them may be removed.
std::string why_not(const std::vector<runs::FoundRun>& found) {
    auto all = runs::find_runs();
    if (!all) return "";
    std::vector<std::string> ids;
    for (const runs::FoundRun& run : found)
        ids.push_back(run.record.id);
    std::vector<runs::RunRecord> records;
    for (runs::FoundRun& run : *all)
        records.push_back(std::move(run.record));
    auto link = runs::link_among(ids, records);
    if (!link) return "";
    return base::concat("the run ", link->id, " continues ", link->earlier, ", and ", link->later,
                        " continues it: remove the first one as well, with barnum rm ", link->earlier, " ",
                        link->id, ", or ", link->earlier, " could be resumed again; nothing was removed");
}

// What a removed run had continued is open again, if it is still there.
void tell_of_earlier(const std::vector<runs::FoundRun>& removed) {
    auto left = runs::find_runs();
    if (!left) return;
    auto is_there = [&](const std::string& id) {
        return std::ranges::any_of(*left, [&](const runs::FoundRun& run) { return run.record.id == id; });
    };
    for (const runs::FoundRun& run : removed) {
        const std::string& earlier = run.record.resumes;
        if (earlier.empty() || is_there(run.record.id) || !is_there(earlier)) continue;
        std::cout << terminal::printable(
                         base::concat("run ", earlier,
                                      ", which it had continued, can be resumed again, and "
                                      "would do again what was done since; remove it with: barnum rm ",
                                      earlier))
                  << "\n";
    }
}

int rm(const cli::Options& given) {
    RmArguments arguments = cli::read(rm_option_table(), given);
    auto found = find(arguments.runs);
    if (!found) return fail(base::ExitCode::usage, found.error().message);
    if (std::string why = why_not(*found); !why.empty()) return fail(base::ExitCode::usage, why);
    int code = base::ExitCode::ok;
    std::vector<std::string> removed;
    for (const runs::FoundRun& run : *found)
        code = std::max(code, remove(run, arguments.json ? &removed : nullptr));
    if (arguments.json)
        std::cout << "{" << removed_member(removed) << "}\n";
    else
        tell_of_earlier(*found);
    return code;
}

}  // namespace

cli::Command rm_command() {
    return {"rm", "Remove runs that have ended.", rm_details, cli::options_of(rm_option_table()), rm};
}

}  // namespace barnum
