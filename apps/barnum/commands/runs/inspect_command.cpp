#include "base/exit_code.hpp"
#include "base/text.hpp"
#include "candidates/value_candidates.hpp"
#include "cli/option_table.hpp"
#include "commands.hpp"
#include "fail.hpp"
#include "inspect/inspection.hpp"
#include "inspect/read_file.hpp"
#include "inspect/report.hpp"
#include "run_argument.hpp"
#include "runs/next_commands.hpp"
#include "runs/run_directories.hpp"
#include "runs/run_lookup.hpp"
#include "statelog/accept_edits.hpp"
#include "statelog/log_file.hpp"
#include "statelog/log_use.hpp"

#include <boost/program_options/errors.hpp>
#include <boost/system/errc.hpp>

#include <cstdint>
#include <iostream>
#include <optional>
#include <string>

namespace barnum {

namespace po = boost::program_options;

namespace {

constexpr const char* inspect_details = R"(Examples:
  barnum inspect last
      Shows the run that was started last. docs/runs.md explains how runs are named.
  barnum inspect run.ndjson
      Shows whether the run has ended, the tasks of each step, and which tasks are dropped, pending or waiting.
  barnum inspect run.ndjson --task 12
      Shows one task: its attempts, value, failures and children. The number may be that of any of its attempts.
  barnum inspect run.ndjson --json | jq '.tasks[] | select(.state == "dropped")'
      Prints all tasks, for programs; `barnum inspect --schema` describes the fields.
  barnum inspect run.ndjson --accept-edits
      Corrects the checksums of a log that you have edited on purpose, so that it can be resumed.

The log of a run that has not ended can be inspected as well, which does not disturb the run.
docs/inspect.md explains the output.

Exit codes: 0 the log is undamaged, whatever the state of its tasks; 2 the command line is invalid, there is no such
file or task, or the log is in use, so that edits cannot be accepted; 74 the log is damaged or cannot be read or
written.
)";

struct InspectArguments {
    std::optional<std::string> log;
    bool json = false;
    std::optional<std::size_t> task;
    bool accept_edits = false;
    bool schema = false;
};

const cli::OptionTable<InspectArguments>& inspect_option_table() {
    using cli::into;
    static const cli::OptionTable<InspectArguments> table{
        {{.name = "log",
          .value =
              cli::text("RUN", "the id of a run, or the path of a state log").completed_by(run_candidates),
          .summary = "the run, in any state: its id or the beginning of it, its name, last, @, its "
                     "directory, or the "
                     "path of its state log; the word --log may be left out",
          .is_positional = true},
         into(&InspectArguments::log)},
        {{"json", cli::none(), "print everything, as JSON"}, into(&InspectArguments::json)},
        {{"task", cli::whole_number("ID", 0).completed_by(candidates::tasks_of_log),
          "show only this task, with all details"},
         into(&InspectArguments::task)},
        {{"accept-edits", cli::none(),
          "after the log was edited on purpose: give each line its correct checksum, if the log can be "
          "replayed"},
         into(&InspectArguments::accept_edits)},
        {{"schema", cli::none(), "print the JSON Schema of what --json prints"},
         into(&InspectArguments::schema)}};
    return table;
}

void check(const InspectArguments& arguments) {
    bool shows = arguments.task || arguments.json;
    if (arguments.schema) {
        if (arguments.log || shows || arguments.accept_edits)
            throw po::error(
                "--schema must be the only option: it prints the schema of every log's JSON, whatever the "
                "log");
        return;
    }
    if (!arguments.log) throw po::error("RUN is missing: the id of a run, or the path of a state log");
    if (arguments.accept_edits && shows)
        throw po::error("--accept-edits takes only RUN: it changes the log and shows nothing");
}

base::Result<void> print(const inspect::InspectedLog& log, std::optional<std::uint32_t> task, bool json) {
    if (json) return inspect::write_json(std::cout, log, task);
    auto text = task ? inspect::task_text(log, *task) : inspect::log_text(log);
    if (!text) return text.error();
    std::cout << *text;
    return {};
}

int report(const inspect::InspectedLog& log, const InspectArguments& arguments) {
    std::optional<std::uint32_t> task;
    if (arguments.task) {
        task = log.inspection.find({*arguments.task});
        if (!task)
            return fail(base::ExitCode::usage,
                        inspect::no_such_task(log.inspection, log.path, {*arguments.task}));
    }
    auto printed = print(log, task, arguments.json);
    if (!printed) return fail(base::ExitCode::io_error, printed.error().message);
    return base::ExitCode::ok;
}

void add_record(const runs::RunRecord& record, inspect::InspectedLog& log) {
    log.run_id = record.id;
    log.continues = record.resumes;
    if (auto later = runs::run_that_continues(record.id)) log.later_run = later->record.id;
    log.retries = record.retries;
    if (record.end) log.result = record.end->result;
    log.is_stopped = !record.end && runs::is_stopped(record.process);
    log.resume_knows_options = !record.version.empty();  // otherwise it is from the log
}

int show(const InspectArguments& arguments, const runs::NamedRun& known) {
    const std::string& path = known.log;
    auto fd = statelog::open_log(path);
    if (!fd) return fail(base::ExitCode::usage, fd.error().message);
    statelog::LogUse use = statelog::use_of(fd->get());
    auto file = inspect::inspect_file(fd->get(), path);
    if (!file) return fail(base::ExitCode::io_error, file.error().message);
    inspect::InspectedLog log{
        file->inspection,
        file->log.replay,
        file->log.tail,
        path,
        use.use,
        use.holders,
        known.found ? runs::command_to_resume(known.found->record.id) : runs::short_command_to_resume(path),
        runs::later_log_of(path).value_or(""),
        statelog::now(),
        [&](std::uint64_t offset) { return statelog::read_line(fd->get(), path, offset); }};
    if (known.found) add_record(known.found->record, log);
    return report(log, arguments);
}

int accept(const std::string& path) {
    auto opened = statelog::open_log(path);
    if (!opened) return fail(base::ExitCode::usage, opened.error().message);
    auto accepted = statelog::accept_edits(path);
    if (accepted) {
        std::cout << base::counted(accepted->wrong, "line") << " had a wrong checksum, " << accepted->missing
                  << " had none; now each has the correct one\n";
        return base::ExitCode::ok;
    }
    bool in_use = accepted.error().code == boost::system::errc::resource_unavailable_try_again;
    return fail(in_use ? base::ExitCode::usage : base::ExitCode::io_error, accepted.error().message);
}

int inspect_run(const cli::Options& given) {
    InspectArguments arguments = cli::read(inspect_option_table(), given);
    check(arguments);
    if (arguments.schema) {
        std::cout << inspect::inspection_schema();
        return base::ExitCode::ok;
    }
    auto named = runs::find_named_run(*arguments.log);
    if (!named) return fail(base::ExitCode::usage, named.error().message);
    return arguments.accept_edits ? accept(named->log) : show(arguments, *named);
}

}  // namespace

cli::Command inspect_command() {
    return {"inspect", "Show the run that a state log describes.", inspect_details,
            cli::options_of(inspect_option_table()), inspect_run};
}

}  // namespace barnum
