#include "base/exit_code.hpp"
#include "cli/option_table.hpp"
#include "commands.hpp"
#include "commands/run/run_again.hpp"
#include "fail.hpp"
#include "run_argument.hpp"
#include "runs/run_lookup.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace barnum {

namespace {

constexpr const char* resume_details = R"(Examples:
  barnum resume last
      Continues the run that was started last, with its pool, its agents and its other options.
  barnum resume 7d1c --jobs 2
      The same for the run whose id begins with 7d1c, with another number of local processes.

A run that has been resumed already is refused. Tasks that are done are not done again. The resumed run has an id, a
directory and a state log of its own. Its commands run where those of the earlier run did. docs/runs.md explains how
runs are named.

Exit codes: those of `barnum run`; 0 if the run has finished already, whatever it has dropped.
)";

cli::Option run_option() {
    return run_argument("the run to continue");
}

int resume(const cli::Options& given) {
    auto named = runs::find_named_run(cli::texts_of(run_option(), given).front());
    if (!named) return fail(base::ExitCode::usage, named.error().message);
    return run_again(*named, given, std::nullopt);
}

}  // namespace

cli::Command resume_command() {
    std::vector<cli::Option> options{run_option()};
    for (cli::Option& option : options_to_run_again())
        options.push_back(std::move(option));
    return {"resume", "Continue a run that has ended before all its tasks were done.", resume_details,
            std::move(options), resume};
}

}  // namespace barnum
