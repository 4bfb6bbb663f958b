#include "base/exit_code.hpp"
#include "cli/option_table.hpp"
#include "commands.hpp"
#include "fail.hpp"
#include "listings/run_list.hpp"
#include "runs/removal.hpp"
#include "screen/full_screen.hpp"
#include "screen/watched_list.hpp"

#include <boost/program_options/errors.hpp>

#include <iostream>
#include <string>
#include <vector>

namespace barnum {

namespace {

constexpr const char* ps_details = R"(Examples:
  barnum ps
      Lists the runs that are running, and those that are lost: killed, or ended by a restart of the machine;
      those whose record is damaged; and those that have ended because only tasks for people were left
      (--exit-when-waiting).
  barnum ps -a
      Lists all runs.
  barnum ps --watch
      Shows the list on the whole screen, updated every second, until q or Ctrl-C.
  barnum ps -a --json | jq -r '.[] | select(.state == "failed") | .id'

The counts of a running run are up to two seconds old. docs/runs.md explains the states.

Exit codes: 0 the runs were listed, even if there are none; 1 --watch without a terminal; 74 the directory of the runs
cannot be read.
)";

struct PsArguments {
    bool all = false;
    bool json = false;
    bool watch = false;
    bool size = false;
};

const cli::OptionTable<PsArguments>& ps_option_table() {
    using cli::into;
    static const cli::OptionTable<PsArguments> table{
        {{"all", cli::none(), "list the runs that have ended as well", 'a'}, into(&PsArguments::all)},
        {{"json", cli::none(), "print a JSON array with all that is known of each run"},
         into(&PsArguments::json)},
        {{"size", cli::none(), "tell what the directory of each run takes on the disk"},
         into(&PsArguments::size)},
        {{"watch", cli::none(), "show the list on the whole screen, updated every second"},
         into(&PsArguments::watch)}};
    return table;
}

void print_table(const std::vector<listings::ListedRun>& list) {
    for (const std::string& line : listings::run_table(list))
        std::cout << line << "\n";
    for (const std::string& text : listings::texts_about_unended(list))
        std::cout << "\n" << text << "\n";
}

std::string text_of_none(bool all) {
    return all ? "there is no run yet" : "no run is running or lost; `barnum ps -a` lists all runs";
}

int watch(bool all) {
    if (!screen::is_possible())
        return fail(
            base::ExitCode::failure,
            "`barnum ps --watch` needs a terminal to draw on; `barnum ps` and `barnum ps --json` print "
            "to files and pipes");
    return screen::watch_list([all]() -> std::vector<std::string> {
        auto list = listings::find_listed_runs(all);
        if (!list) return {list.error().message};
        if (list->empty()) return {text_of_none(all)};
        return listings::run_table(*list);
    });
}

int show_runs(const cli::Options& given) {
    PsArguments arguments = cli::read(ps_option_table(), given);
    if (arguments.watch && arguments.json)
        throw boost::program_options::error(
            "--watch and --json cannot be combined: the first draws on a terminal, the second is for "
            "programs");
    if (arguments.watch && arguments.size)
        throw boost::program_options::error(
            "--watch and --size cannot be combined: to measure all runs each second would keep the disk "
            "busy");
    if (arguments.watch) return watch(arguments.all);
    auto list = listings::find_listed_runs(arguments.all);
    if (!list) return fail(base::ExitCode::io_error, list.error().message);
    if (arguments.size)
        for (listings::ListedRun& listed : *list)
            listed.bytes = runs::space_of(listed.run.path);
    if (list->empty() && !arguments.json)
        std::cerr << text_of_none(arguments.all) << "\n";
    else if (arguments.json)
        std::cout << listings::runs_json(*list);
    else
        print_table(*list);
    return base::ExitCode::ok;
}

}  // namespace

cli::Command ps_command() {
    return {"ps", "List the runs of this user on this machine.", ps_details,
            cli::options_of(ps_option_table()), show_runs};
}

}  // namespace barnum
