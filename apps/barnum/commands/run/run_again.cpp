#include "commands/run/run_again.hpp"

#include "base/exit_code.hpp"
#include "base/text.hpp"
#include "cli/parse.hpp"
#include "commands.hpp"
#include "commands/run/earlier_options.hpp"
#include "commands/run/run_command.hpp"
#include "commands/run/run_option_table.hpp"
#include "fail.hpp"
#include "io/log.hpp"
#include "version/program_version.hpp"

#include <string>
#include <utility>

namespace barnum {

namespace {

// These options are not remembered, and yet of use to a resumed run.
bool is_for_one_run(const cli::Option& option) {
    return option.name == "state-log" || option.name == "detach" || option.name == "dry-run";
}

// The global options are among them.
std::vector<cli::Option> all_options() {
    std::vector<cli::Option> options = options_to_run_again();
    for (const RunOption& row : global_option_table())
        options.push_back(row.option);
    return options;
}

std::string of_later_version(const runs::RunRecord& record) {
    return base::concat(
        "the record of run ", record.id, " was written by version ", record.version, " in format ",
        record.format, ", and this is version ", version::program_version, ", which knows formats up to ",
        runs::record_format,
        ": use that version or a later one, or give the state log to `barnum run --resume-from`");
}

}  // namespace

std::vector<cli::Option> options_to_run_again() {
    std::vector<cli::Option> options;
    for (const RunOption& row : run_option_table())
        if (row.on_resume == OnResume::kept || is_for_one_run(row.option)) options.push_back(row.option);
    return options;
}

int run_again(const runs::NamedRun& run, const cli::Options& given,
              const std::optional<launch::RetryChoice>& retries) {
    if (run.found && run.found->record.format > runs::record_format)
        return fail(base::ExitCode::usage, of_later_version(run.found->record));
    std::vector<cli::Option> options = all_options();
    std::vector<std::string> recorded;
    if (run.found) recorded = run.found->record.options;
    std::erase_if(recorded,
                  [&](const std::string& argument) { return cli::find_typed(options, argument) == nullptr; });
    auto arguments = arguments_for(run, std::move(recorded), options, given);
    if (!arguments) return fail(base::ExitCode::usage, arguments.error().message);
    if (run.found && run.found->record.is_damaged)
        io::log::warn("the options of the run are not known, because its record in ", run.found->path,
                      " cannot be read; give them again if they matter");
    if (auto entered = enter_directory(run); !entered)
        return fail(base::ExitCode::usage, entered.error().message);
    cli::Options all = cli::parse(run_command(), cli::options_of(global_option_table()), *arguments);
    return run_newest(all, retries);
}

}  // namespace barnum
