#include "commands/run/run_again.hpp"

#include "base/exit_code.hpp"
#include "base/text.hpp"
#include "cli/parse.hpp"
#include "commands.hpp"
#include "commands/run/run_command.hpp"
#include "commands/run/run_option_table.hpp"
#include "fail.hpp"
#include "io/log.hpp"
#include "version/program_version.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace barnum {

namespace {

constexpr std::string_view no_transcripts = "none";  // the value of --transcripts that is no path

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

// Leaves out the arguments that are given again.
std::vector<std::string> remembered(const std::vector<std::string>& arguments, const cli::Options& given) {
    auto options = all_options();
    std::vector<std::string> kept;
    for (const std::string& argument : arguments) {
        const cli::Option* option = cli::find_typed(options, argument);
        if (option && !cli::is_given(*option, given)) kept.push_back(argument);
    }
    return kept;
}

bool is_path(const cli::Option& option) {
    return option.value.kind == cli::Value::Kind::file || option.value.kind == cli::Value::Kind::directory;
}

void append_given(const cli::Options& given, std::vector<std::string>& arguments) {
    for (const cli::Option& option : all_options()) {
        if (!cli::is_given(option, given)) continue;
        for (const std::string& text : cli::texts_of(option, given)) {
            bool is_relative = is_path(option) && text != no_transcripts;
            arguments.push_back(
                cli::argument_of(option, is_relative ? std::filesystem::absolute(text).string() : text));
        }
    }
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
    std::vector<std::string> arguments{"--resume-from", std::filesystem::absolute(run.log).string()};
    if (run.found)
        for (std::string& text : remembered(run.found->record.options, given))
            arguments.push_back(std::move(text));
    append_given(given, arguments);
    if (run.found && ::chdir(run.found->record.directory.c_str()) != 0)
        return fail(base::ExitCode::usage, "the directory in which the run was started, " +
                                               run.found->record.directory + ": " + std::strerror(errno));
    if (run.found && run.found->record.is_damaged)
        io::log::warn("the options of the run are not known, because its record in ", run.found->path,
                      " cannot be read; give them again if they matter");
    cli::Options all = cli::parse(run_command(), cli::options_of(global_option_table()), arguments);
    return run_newest(all, retries);
}

}  // namespace barnum
