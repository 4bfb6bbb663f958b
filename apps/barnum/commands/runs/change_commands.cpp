#include "base/exit_code.hpp"
#include "base/limits.hpp"
#include "base/number.hpp"
#include "base/text.hpp"
#include "cli/option_table.hpp"
#include "commands.hpp"
#include "fail.hpp"
#include "run_argument.hpp"
#include "runs/control_client.hpp"
#include "runs/run_end.hpp"

#include <boost/program_options/errors.hpp>

#include <iostream>
#include <optional>
#include <string>
#include <utility>

namespace barnum {

namespace po = boost::program_options;

namespace {

constexpr const char* pause_details = R"(Examples:
  barnum pause last
      From now on, the run that was started last starts nothing new. What is running is not ended.
  barnum continue last

A paused run that is killed or cancelled is still paused when it is resumed. docs/runs.md explains how runs are named.

Exit codes: 0 the run is paused; 2 there is no such run, or it is not running.
)";

constexpr const char* continue_details = R"(Examples:
  barnum continue last
      The run that was started last goes on, after `barnum pause`.

Exit codes: 0 the run goes on; 2 there is no such run, or it is not running.
)";

constexpr const char* scale_details = R"(Examples:
  barnum scale last --jobs 8
      From now on, the run that was started last runs up to eight local processes at once.
  barnum scale last --agents claude=5
      From now on, it has five agents of Claude Code.

With fewer than before, processes that run go on, and agents end after their task. A run that is resumed later has the
numbers with which it was started.

Exit codes: 0 the numbers were changed; 2 there is no such run, it is not running, or it has no such agents.
)";

struct ChangeArguments {
    std::string run;
    std::optional<std::size_t> jobs;
    std::optional<std::string> agents;
};

cli::TableRow<ChangeArguments> run_row(const std::string& what) {
    return {run_argument(what), cli::into(&ChangeArguments::run)};
}

const cli::OptionTable<ChangeArguments>& pause_options() {
    static const cli::OptionTable<ChangeArguments> table{run_row("the run to pause")};
    return table;
}

const cli::OptionTable<ChangeArguments>& continue_options() {
    static const cli::OptionTable<ChangeArguments> table{run_row("the run to continue")};
    return table;
}

const cli::OptionTable<ChangeArguments>& scale_options() {
    static const cli::OptionTable<ChangeArguments> table = [] {
        cli::OptionTable<ChangeArguments> rows{run_row("the run to change")};
        rows.push_back({{"jobs", cli::whole_number("N", 1, base::most_jobs),
                         "how many local processes run at the same time"},
                        cli::into(&ChangeArguments::jobs)});
        rows.push_back({{"agents", cli::text("[KIND=]K", "a number of agents (for example claude=3)"),
                         "how many agents the run has, of the kind if it has several"},
                        cli::into(&ChangeArguments::agents)});
        return rows;
    }();
    return table;
}

int change(const std::string& reference, const runs::ControlRequest& request) {
    auto found = runs::find_recorded_run(reference);
    if (!found) return fail(base::ExitCode::usage, found.error().message);
    auto answer = runs::ask_run(*found, request);
    if (!answer) return fail(base::ExitCode::usage, answer.error().message);
    std::cout << found->record.id << " " << *answer << "\n";
    return base::ExitCode::ok;
}

// "3", "claude=3"
void read_agents(const std::string& text, runs::Scale& wish) {
    std::size_t at = text.find('=');
    std::string count = at == std::string::npos ? text : text.substr(at + 1);
    wish.agents = base::parse_number<std::size_t>(count);
    if (!wish.agents || std::cmp_greater(*wish.agents, base::most_agents) || at == 0)
        throw po::error(base::concat("--agents must be a whole number from 0 to ", base::most_agents,
                                     ", or a kind of agents with one (for example claude=3), not '", text,
                                     "'"));
    if (at != std::string::npos) wish.agent_kind = text.substr(0, at);
}

int pause(const cli::Options& given) {
    return change(cli::read(pause_options(), given).run, runs::Pause{true});
}

int go_on(const cli::Options& given) {
    return change(cli::read(continue_options(), given).run, runs::Pause{false});
}

int scale(const cli::Options& given) {
    ChangeArguments arguments = cli::read(scale_options(), given);
    if (!arguments.jobs && !arguments.agents)
        throw po::error("nothing is to be changed: give --jobs N, --agents [KIND=]K, or both");
    runs::Scale wish;
    wish.jobs = arguments.jobs;
    if (arguments.agents) read_agents(*arguments.agents, wish);
    return change(arguments.run, wish);
}

}  // namespace

cli::Command pause_command() {
    return {"pause", "Pause a run: it starts nothing new.", pause_details, cli::options_of(pause_options()),
            pause};
}

cli::Command continue_command() {
    return {"continue", "Continue a paused run.", continue_details, cli::options_of(continue_options()),
            go_on};
}

cli::Command scale_command() {
    return {"scale", "Change how many local processes and agents a run has.", scale_details,
            cli::options_of(scale_options()), scale};
}

}  // namespace barnum
