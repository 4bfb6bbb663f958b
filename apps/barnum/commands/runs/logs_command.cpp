#include "base/exit_code.hpp"
#include "base/system_time.hpp"
#include "base/text.hpp"
#include "candidates/value_candidates.hpp"
#include "cli/option_table.hpp"
#include "commands.hpp"
#include "fail.hpp"
#include "inspect/read_file.hpp"
#include "io/directory_changes.hpp"
#include "kept_output/logs_reader.hpp"
#include "kept_output/logs_text.hpp"
#include "kept_output/since.hpp"
#include "kept_output/task_attempts.hpp"
#include "launch/find_step.hpp"
#include "output/lines.hpp"
#include "output/selection.hpp"
#include "run_argument.hpp"
#include "runs/run_lookup.hpp"
#include "statelog/log_file.hpp"
#include "terminal/color.hpp"
#include "terminal/size.hpp"

#include <boost/program_options/errors.hpp>

#include <chrono>
#include <iostream>
#include <optional>
#include <string>
#include <unistd.h>

namespace barnum {

namespace po = boost::program_options;

namespace {

constexpr const char* logs_details = R"(Examples:
  barnum logs last
      Prints what the commands and hooks of the run that was started last have written, on stdout and stderr.
  barnum logs last -f
      The same, and goes on until the run has ended. If another run continues it, that one is named.
  barnum logs nightly --task 12 --timestamps
      Only what task 12 has written, in all its attempts, with times.
  barnum logs last --json | jq -r 'select(.stream == "stderr") | .text'

Each line begins with its step and the number of its task. Escape sequences are left out, except colors on a terminal;
--json prints them. What agents' programs write is in their transcripts; of agents that failed, the reason is printed.
docs/output.md says what is kept, and docs/runs.md how runs are named.

Exit codes: 0 what is kept was printed, even if nothing is; 2 the command line is invalid, or there is no such run, task
or step; 74 the output cannot be read, or a part of it is damaged, and the rest was printed.
)";

// The longest time after which a run that was killed is noticed.
constexpr std::chrono::milliseconds look_interval{500};

struct LogsArguments {
    std::string run;
    std::optional<std::size_t> task;
    output::Selection selection;
    bool follow = false;
    std::optional<std::string> since;
    bool timestamps = false;
    bool json = false;
};

const cli::OptionTable<LogsArguments>& logs_option_table() {
    using cli::into;
    static const cli::OptionTable<LogsArguments> table{
        {run_argument("the run"), into(&LogsArguments::run)},
        {{"task", cli::whole_number("ID", 0).completed_by(candidates::tasks_of_run),
          "print only the output of this task, in all its attempts"},
         into(&LogsArguments::task)},
        {{"step", cli::text("NAME", "the name of a step").completed_by(candidates::steps_of_run),
          "print only the output of the tasks of this step"},
         [](LogsArguments& arguments, const std::string& text) { arguments.selection.step = text; }},
        {{"attempt", cli::whole_number("N", 1, 1'000'000),
          "print only the output of the tasks' N-th attempts"},
         [](LogsArguments& arguments, const std::string& text) {
             cli::convert(text, arguments.selection.attempt);
         }},
        {{"phase",
          cli::choice("P", {{"pre"}, {"command"}, {"pool", "why an agent failed"}, {"post"}, {"finally"}}),
          "print only the output of this phase"},
         [](LogsArguments& arguments, const std::string& text) { arguments.selection.phase = text; }},
        {{"follow", cli::none(), "go on printing until the run has ended", 'f'},
         into(&LogsArguments::follow)},
        {{"since",
          cli::text("T", "a time span (for example 10m; s, m, h, d), or a time like 2026-11-21T14:05:00Z"),
          "print only lines that were written after this time, or in this last span of time"},
         into(&LogsArguments::since)},
        {{"timestamps", cli::none(), "print the time before each line, in UTC"},
         into(&LogsArguments::timestamps)},
        {{"json", cli::none(),
          "print an object for each line, with its time, task, step, attempt, phase and stream"},
         into(&LogsArguments::json)}};
    return table;
}

std::optional<output::Time> since_of(const LogsArguments& arguments) {
    if (!arguments.since) return std::nullopt;
    auto now = base::system_time();
    auto since = kept_output::parse_since(*arguments.since, now);
    if (!since)
        throw po::error(
            base::concat("the argument ('", *arguments.since,
                         "') for option '--since' is invalid: it must be "
                         "a time span (for example 10m; s, m, h, d), or a time like 2026-11-21T14:05:00Z"));
    return since;
}

// Prints the lines of one run.
class Printer {
  public:
    Printer(const LogsArguments& arguments, std::optional<output::Time> since, const runs::FoundRun& run)
        : arguments_(arguments),
          since_(since),
          attempts_(run.record.state_log, arguments.task.value_or(0)),
          text_({arguments.timestamps,
                 terminal::wants_color(terminal::Color::automatic, terminal::is_terminal(STDOUT_FILENO),
                                       terminal::Environment::current())}),
          reader_(runs::output_path(run.path),
                  [this](const output::Source& source) { return is_wanted(source); }),
          lines_([this](const output::Line& line) { print(line); }) {}

    bool is_task_unknown() { return arguments_.task && attempts_.is_unknown(); }

    base::Result<void> print_new() {
        auto read = reader_.read(
            [this](const output::Source& /*source*/, const output::Record& record) { lines_.add(record); });
        std::cout.flush();
        return read;
    }
    // Returns what is damaged or missing, and was not printed; empty if that is nothing.
    std::string finish(runs::RunState state) {
        if (!runs::is_living(state))
            reader_.read_rest([this](const output::Source& /*source*/, const output::Record& record) {
                lines_.add(record);
            });
        lines_.finish();
        return faults(state);
    }

  private:
    // A run that was killed has not written all that it would have written.
    std::string faults(runs::RunState state) const {
        using enum runs::RunState;
        const bool has_ended = !runs::is_living(state) && state != lost && state != damaged;
        std::string text;
        if (reader_.damaged() > 0) text = base::concat(base::counted(reader_.damaged(), "byte"), " damaged");
        for (const std::string& missing : reader_.missing(has_ended))
            text += base::concat(text.empty() ? "" : ", ", missing, " missing");
        return text;
    }
    bool is_wanted(const output::Source& source) {
        return arguments_.selection.contains(source) && (!arguments_.task || attempts_.contains(source));
    }
    void print(const output::Line& line) {
        if (since_ && line.time < *since_) return;
        const output::Source& source = reader_.source(line.source);
        std::cout << (arguments_.json ? kept_output::json_line(source, line) : text_.line(source, line));
    }

    const LogsArguments& arguments_;
    std::optional<output::Time> since_;
    kept_output::TaskAttempts attempts_;
    kept_output::LogsText text_;
    kept_output::LogsReader reader_;
    output::Lines lines_;
};

// What was written before the run ended is read after that is known.
base::Result<void> follow(Printer& printer, const runs::FoundRun& run) {
    io::DirectoryChanges changes;
    changes.watch(run.path);
    while (true) {
        changes.watch(runs::output_path(run.path));
        bool is_over = !runs::is_alive(run);
        if (auto printed = printer.print_new(); !printed || is_over) return printed;
        changes.wait(look_interval);
    }
}

// Another run may have the tasks of the one that is followed by now, and their output.
void tell_of_continuation(const runs::RunRecord& record) {
    auto later = runs::run_that_continues(record.id);
    if (!later) return;
    std::cout.flush();
    std::cerr << base::concat("the run ", record.id, " was resumed by the run ", later->record.id,
                              ": barnum logs -f ", later->record.id, "\n");
}

// Why a run with this state log has no such step; empty if it has one, or the log cannot be read.
std::optional<std::string> unknown_step(const std::string& step, const std::string& log) {
    auto fd = statelog::open_log(log);
    if (!fd) return std::nullopt;
    auto file = inspect::inspect_file(fd->get(), log);
    if (!file) return std::nullopt;
    auto found = launch::find_step(step, *file->log.replay.config());
    return found ? std::nullopt : std::optional(found.error().message);
}

int show_logs(const cli::Options& given) {
    LogsArguments arguments = cli::read(logs_option_table(), given);
    auto since = since_of(arguments);
    auto named = runs::find_named_run(arguments.run);
    if (!named) return fail(base::ExitCode::usage, named.error().message);
    if (!named->found)
        return fail(base::ExitCode::usage,
                    base::concat("no output is kept of the run of ", named->log, ": it has no directory"));
    Printer printer(arguments, since, *named->found);
    if (!arguments.follow && printer.is_task_unknown())
        return fail(base::ExitCode::usage, base::concat("there is no task ", *arguments.task, " in the run ",
                                                        named->found->record.id));
    if (const auto& step = arguments.selection.step) {
        if (auto why = unknown_step(*step, named->log)) return fail(base::ExitCode::usage, *why);
    }
    auto printed = arguments.follow ? follow(printer, *named->found) : printer.print_new();
    auto faults = printer.finish(runs::own_state(*named->found));
    if (arguments.follow) tell_of_continuation(named->found->record);
    if (!printed) return fail(base::ExitCode::io_error, printed.error().message);
    if (faults.empty()) return base::ExitCode::ok;
    std::cout.flush();
    return fail(base::ExitCode::io_error,
                base::concat("not all of what ", runs::output_path(named->found->path),
                             " had can be printed: ", faults, "; the rest was printed"));
}

}  // namespace

cli::Command logs_command() {
    return {"logs", "Print what the commands and hooks of a run have written.", logs_details,
            cli::options_of(logs_option_table()), show_logs};
}

}  // namespace barnum
