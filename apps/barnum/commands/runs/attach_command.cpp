#include "base/exit_code.hpp"
#include "cli/option_table.hpp"
#include "color_option.hpp"
#include "commands.hpp"
#include "displays/run_view.hpp"
#include "fail.hpp"
#include "run_argument.hpp"
#include "runs/control_client.hpp"
#include "runs/next_commands.hpp"
#include "runs/run_end.hpp"
#include "terminal/color.hpp"
#include "terminal/size.hpp"

#include <csignal>
#include <iostream>
#include <string>
#include <unistd.h>

namespace barnum {

namespace {

constexpr const char* attach_details = R"(Examples:
  barnum attach last
      Shows the table of the run that was started last, until the run ends. Ctrl-C ends the display, not the run.
  barnum attach nightly --progress json | jq -c 'select(.event == "task_dropped")'
      Prints the events of the run, which docs/progress.md describes.

Any number of terminals may be attached to a run. One that is too slow misses lines; the run never waits for it.
docs/runs.md explains how runs are named.

Exit codes: that of the run; 137 if it was killed; 130 after Ctrl-C; 2 there is no such run, or it is not running.
)";

struct AttachArguments {
    std::string run;
    std::string progress;
    std::string color;
};

const cli::OptionTable<AttachArguments>& attach_option_table() {
    using cli::into;
    static const cli::OptionTable<AttachArguments> table{
        {run_argument("the run to show"), into(&AttachArguments::run)},
        {{"progress",
          cli::choice("HOW", {{"auto", "tty on a terminal, else plain"},
                              {"tty", "a table that is updated"},
                              {"plain", "log lines, a summary every 30 s"},
                              {"json", "a stream of events"}})
              .with_default("auto"),
          "how progress is shown on stdout"},
         into(&AttachArguments::progress)},
        {color_option(), into(&AttachArguments::color)}};
    return table;
}

runs::Attach::Mode mode_of(const std::string& progress, bool is_terminal) {
    if (progress == "json") return runs::Attach::Mode::json;
    bool is_table = progress == "tty" || (progress == "auto" && is_terminal);
    return is_table ? runs::Attach::Mode::table : runs::Attach::Mode::plain;
}

runs::Attach wish_of(const AttachArguments& arguments) {
    auto environment = terminal::Environment::current();
    bool is_terminal = terminal::is_terminal(STDOUT_FILENO);
    runs::Attach wish;
    wish.mode = mode_of(arguments.progress, is_terminal && !terminal::is_dumb(environment));
    wish.colored = terminal::wants_color(*terminal::parse_color(arguments.color), is_terminal, environment);
    return wish;
}

// Reports the end of a run whose connection has ended without a word: it was killed.
int report_end(const runs::FoundRun& run) {
    auto ended = runs::wait_for_end(run);
    if (!ended) return fail(base::ExitCode::failure, ended.error().message);
    std::cerr << "the run " << run.record.id
              << " has ended: " << runs::state_text(ended->record, ended->state) << "\n";
    if (is_resumable(ended->record, ended->state))
        std::cerr << "Resume it with:\n  " << runs::command_to_resume(run.record.id) << "\n";
    return runs::exit_code_of(*ended);
}

int attach(const cli::Options& given) {
    AttachArguments arguments = cli::read(attach_option_table(), given);
    auto found = runs::find_recorded_run(arguments.run);
    if (!found) return fail(base::ExitCode::usage, found.error().message);
    auto connection = runs::connect_to_run(*found);
    if (!connection) return fail(base::ExitCode::usage, connection.error().message);
    runs::tell_of_stop(found->record);
    displays::ViewEnd end = displays::view_run(std::move(*connection), wish_of(arguments));
    if (end.signal != 0) {
        std::cerr << "the run " << found->record.id << " goes on; `barnum cancel` ends it\n";
        return 128 + end.signal;
    }
    return end.exit_code ? *end.exit_code : report_end(*found);
}

}  // namespace

cli::Command attach_command() {
    return {"attach", "Show the progress of a run.", attach_details, cli::options_of(attach_option_table()),
            attach};
}

}  // namespace barnum
