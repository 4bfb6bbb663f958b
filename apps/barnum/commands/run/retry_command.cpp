#include "base/exit_code.hpp"
#include "candidates/value_candidates.hpp"
#include "cli/option_table.hpp"
#include "commands.hpp"
#include "commands/run/run_again.hpp"
#include "fail.hpp"
#include "launch/retry_choice.hpp"
#include "run_argument.hpp"
#include "runs/run_lookup.hpp"

#include <boost/program_options/errors.hpp>

#include <string>
#include <utility>
#include <vector>

namespace barnum {

namespace {

constexpr const char* retry_details = R"(Examples:
  barnum retry last
      Tries the tasks again that the run that was started last has dropped, with all their retries.
  barnum retry nightly --task 12 --task 17
      The same for two of its dropped tasks. `barnum inspect nightly` lists them.
  barnum retry nightly --step Review
      The same for the dropped tasks of one step.

The new run has an id, a directory and a state log of its own, and the pool, the agents and the other options of the
earlier run, unless they are given again. What is done is not done again. A `finally` that ran after a dropped task runs
again when that task and its new descendants have ended, and so do the tasks that it had started. docs/runs.md explains
how runs are named.

Exit codes: 0 if no task was dropped, otherwise those of `barnum run`.
)";

struct RetryArguments {
    std::string run;
    launch::RetryChoice choice;
};

const cli::OptionTable<RetryArguments>& retry_option_table() {
    static const cli::OptionTable<RetryArguments> table{
        {run_argument("the run whose dropped tasks are tried again"), cli::into(&RetryArguments::run)},
        {{"task", cli::whole_number("ID", 0).completed_by(candidates::tasks_of_run).as_list(),
          "try only this dropped task again; repeat it for several"},
         [](RetryArguments& arguments, const std::string& text) {
             std::size_t task = 0;
             cli::convert(text, task);
             arguments.choice.tasks.push_back(task);
         }},
        {{"step", cli::text("NAME", "the name of a step").completed_by(candidates::steps_of_run),
          "try only the dropped tasks of this step again"},
         [](RetryArguments& arguments, const std::string& text) { arguments.choice.step = text; }}};
    return table;
}

int retry(const cli::Options& given) {
    RetryArguments arguments = cli::read(retry_option_table(), given);
    if (!arguments.choice.tasks.empty() && arguments.choice.step)
        throw boost::program_options::error(
            "--task and --step cannot be combined: each of them says which dropped tasks are tried again");
    auto named = runs::find_named_run(arguments.run);
    if (!named) return fail(base::ExitCode::usage, named.error().message);
    return run_again(*named, given, arguments.choice);
}

}  // namespace

cli::Command retry_command() {
    std::vector<cli::Option> options = cli::options_of(retry_option_table());
    for (cli::Option& option : options_to_run_again())
        options.push_back(std::move(option));
    return {"retry", "Try the dropped tasks of a run again, in a new run.", retry_details, std::move(options),
            retry};
}

}  // namespace barnum
