#include "base/exit_code.hpp"
#include "base/text.hpp"
#include "cli/option_table.hpp"
#include "commands.hpp"
#include "fail.hpp"
#include "json/json.hpp"
#include "run_argument.hpp"
#include "runs/run_end.hpp"
#include "runs/run_lookup.hpp"

#include <iostream>
#include <string>
#include <vector>

namespace barnum {

namespace {

constexpr const char* wait_details = R"(Examples:
  barnum wait last
      Waits until the run that was started last has ended.
  barnum wait nightly 7d1c && echo all is done
      Waits until both runs have ended.

Prints the id and the state of each run. A run that another one continues is over; the other one is named on stderr.
Ctrl-C ends the waiting, and leaves the runs alone. docs/runs.md explains how runs are named.

Exit codes: that of the run; of several, the first one that is not 0, in the order of the command line. For a run that
is lost or damaged: 137. 2 there is no such run, and nothing was waited for.
)";

struct WaitArguments {
    std::vector<std::string> runs;
    bool json = false;
};

const cli::OptionTable<WaitArguments>& wait_option_table() {
    static const cli::OptionTable<WaitArguments> table{
        {run_list_argument("a run to wait for; several may be given"), cli::into(&WaitArguments::runs)},
        {{"json", cli::none(), "print a JSON object for each run, with its id, state and exit code"},
         cli::into(&WaitArguments::json)}};
    return table;
}

std::string resumed_by(const runs::EndedRun& ended) {
    if (ended.state != runs::RunState::resumed) return "";
    auto later = runs::run_that_continues(ended.record.id);
    return later ? base::concat(",\"resumed_by\":", json::quote(later->record.id)) : "";
}

std::string as_json(const runs::EndedRun& ended) {
    const std::string& result = ended.record.end ? ended.record.end->result : "";
    return base::concat(
        "{\"id\":", json::quote(ended.record.id), ",\"name\":", json::quote(ended.record.name),
        ",\"state\":", json::quote(runs::state_name(ended.state)), ",\"result\":", json::quote(result),
        ",\"exit_code\":", runs::exit_code_of(ended), resumed_by(ended), "}");
}

void print(const runs::EndedRun& ended, bool is_json) {
    if (ended.state == runs::RunState::resumed)
        std::cerr << "the run " << ended.record.id << " is over: " << runs::continuation_text(ended.record)
                  << "\n";
    std::cout << (is_json ? as_json(ended)
                          : base::concat(ended.record.id, " ", runs::state_text(ended.record, ended.state)))
              << std::endl;
}

int wait_for_runs(const cli::Options& given) {
    WaitArguments arguments = cli::read(wait_option_table(), given);
    std::vector<runs::FoundRun> found;
    for (const std::string& reference : arguments.runs) {
        auto one = runs::find_recorded_run(reference);
        if (!one) return fail(base::ExitCode::usage, one.error().message);
        found.push_back(std::move(*one));
    }
    int code = base::ExitCode::ok;
    for (const runs::FoundRun& one : found) {
        auto ended = runs::wait_for_end(one);
        if (!ended) return fail(base::ExitCode::failure, ended.error().message);
        print(*ended, arguments.json);
        if (code == base::ExitCode::ok) code = runs::exit_code_of(*ended);
    }
    return code;
}

}  // namespace

cli::Command wait_command() {
    return {"wait", "Wait until runs have ended.", wait_details, cli::options_of(wait_option_table()),
            wait_for_runs};
}

}  // namespace barnum
