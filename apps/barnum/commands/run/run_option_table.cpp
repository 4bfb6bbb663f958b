#include "commands/run/run_option_table.hpp"

#include "agent_driver/settings.hpp"
#include "base/limits.hpp"
#include "candidates/value_candidates.hpp"
#include "cli/common_options.hpp"
#include "color_option.hpp"
#include "commands/run/bound_options.hpp"
#include "commands/run/next_log.hpp"
#include "launch/json_argument.hpp"
#include "launch/keep_output.hpp"
#include "run_argument.hpp"

namespace barnum {

namespace {

using cli::into;

constexpr const char* pool_name = "the id of a pool (for example reviews)";
constexpr const char* agent_example = "agents (for example claude=3,model=opus,labels=writer)";
constexpr const char* command_text = "a shell command (for example ./agent.sh)";

statelog::Fsync fsync_policy(const std::string& name) {
    if (name == "interval") return statelog::Fsync::interval;
    return name == "never" ? statelog::Fsync::never : statelog::Fsync::always;
}

std::vector<RunOption> input_options() {
    return {
        {{.name = "config",
          .value = cli::file("FILE|JSON", "the path of a config, or its text"),
          .summary =
              "the workflow, as JSONC; required unless a run is resumed; the word --config may be left out",
          .is_positional = true},
         into(&launch::RunOptions::config),
         OnResume::left_out},
        {{"entrypoint-value", cli::file("FILE|JSON", launch::json_or_file),
          "the value of the first task, which is of the config's entrypoint (default: {})"},
         into(&launch::RunOptions::entrypoint_value),
         OnResume::left_out},
        {{"param",
          cli::text("NAME=TEXT|NAME:=JSON", "a member (for example directory=src or count:=3)")
              .completed_by(candidates::parameter_names)
              .as_list(),
          "a member of the first task's value, instead of --entrypoint-value: a string after =, any JSON "
          "after :=; repeatable",
          'p'},
         into(&launch::RunOptions::parameter_texts),
         OnResume::left_out},
        {{"initial-state",
          cli::file("FILE|JSON", launch::json_or_file).completed_by(candidates::first_tasks_file_or_steps),
          "the first tasks, an array of {\"kind\",\"value\"}, instead of one task of the entrypoint"},
         into(&launch::RunOptions::initial_state),
         OnResume::left_out},
    };
}

std::vector<RunOption> log_options() {
    return {
        {resume_from_option(), into(&launch::RunOptions::resume_from), OnResume::replaced,
         [](const launch::RunOptions&, const std::string& log_path) { return log_path; }},
        {{"reuse",
          cli::text("RUN", "the path of a state log, or the id of a run").completed_by(run_candidates),
          "take over the result of each task whose step and value are those of a task that succeeded in this "
          "run, and run only the others (`barnum why` tells the reasons). RUN as for --resume-from"},
         into(&launch::RunOptions::reuse),
         OnResume::left_out},
        // By default, each run's log is in its own directory.
        {{"state-log", cli::file("FILE", "the path of a new file"),
          "a new file for the state log (default: state.ndjson in the run's directory)"},
         into(&launch::RunOptions::state_log),
         OnResume::replaced,
         [](const launch::RunOptions& run, const std::string& log_path) {
             return run.state_log ? next_log(log_path) : "";
         }},
        {{"name", cli::text("NAME", "a name for the run (for example nightly)"),
          "a name by which other commands find the run, besides its id"},
         into(&launch::RunOptions::name),
         OnResume::kept},
        {{"fsync",
          cli::choice("POLICY", {{"always", "before anything follows from an entry"},
                                 {"interval", "every second"},
                                 {"never", "when the kernel decides to"}})
              .with_default("always"),
          "when the state log is synced to the disk"},
         [](launch::RunOptions& run, const std::string& name) { run.fsync = fsync_policy(name); },
         OnResume::kept},
    };
}

std::vector<RunOption> pool_options() {
    return {
        {{"pool", cli::text("ID", pool_name).completed_by(candidates::pool_names),
          "the pool, which is shared with other programs (default: `default`; with agents of the run, "
          "its own pool)"},
         into(&launch::RunOptions::pool),
         OnResume::kept},
        {{"no-embedded-pool", cli::none(), "wait for a pool daemon instead of hosting the pool"},
         [](launch::RunOptions& run, const std::string&) { run.embedded_pool = false; },
         OnResume::kept},
        {{"pool-wait-secs", cli::whole_number("N", 0, 100'000'000).with_default("300"),
          "how many seconds to wait for a pool that no daemon serves"},
         into(&launch::RunOptions::pool_wait),
         OnResume::kept},
        {{"wake", cli::script("SCRIPT", command_text), "run this shell command before the first task"},
         into(&launch::RunOptions::wake),
         OnResume::kept},
        {{"on-end", cli::script("CMD", command_text),
          "run this shell command when the run has ended, and when only tasks for people are left, with a "
          "summary as JSON on its stdin, for up to 30 s "
          "(default: that of the environment variable BARNUM_NOTIFY)"},
         into(&launch::RunOptions::on_end),
         OnResume::kept},
    };
}

cli::Completion agent_kinds(const cli::Line& /*line*/) {
    cli::Completion kinds{cli::Completion::Kind::parts};
    for (std::string_view kind : agent_driver::kind_names())
        kinds.candidates.push_back({std::string(kind)});
    return kinds;
}

std::vector<RunOption> agent_options() {
    return {
        {{"agent", cli::text("KIND[=K][,KEY=VALUE...]", agent_example).completed_by(agent_kinds).as_list(),
          "run K agents (default: 1) of this kind for as long as the run lasts: claude, codex, gemini, acp, "
          "exec or shell; repeatable. The keys are the settings of the config's agents"},
         into(&launch::RunOptions::agent_texts),
         OnResume::kept,
         {},
         true},
        {{"transcripts", cli::directory("DIR|none", "the path of a directory, or none"),
          "where to keep what the agents' programs print and are told, with secrets left out; none: nowhere "
          "(default: beside the state log, in NAME.transcripts for NAME.ndjson)"},
         into(&launch::RunOptions::transcripts),
         OnResume::kept},
        {{"no-agents", cli::none(), "leave out the agents of the config"},
         [](launch::RunOptions& run, const std::string&) { run.config_agents = false; },
         OnResume::kept},
        {{"fail-fast", cli::none(),
          "end the run when a task can't be done because no agent is left that has its labels, instead of "
          "waiting for one"},
         [](launch::RunOptions& run, const std::string&) { run.fail_fast = true; },
         OnResume::kept},
        {{"agents", cli::whole_number("K", 0, base::most_agents).with_default("0"),
          "run K agents for as long as the run lasts (with --agent-exec); the same as --agent "
          "exec=K,exec=CMD"},
         into(&launch::RunOptions::exec_agents),
         OnResume::kept},
        {{"agent-exec", cli::script("CMD", command_text),
          "the shell command that an agent runs for each task, in the current directory: task on stdin, "
          "response on stdout"},
         into(&launch::RunOptions::agent_exec),
         OnResume::kept},
    };
}

std::vector<RunOption> execution_options() {
    return {
        {{"exit-when-waiting", cli::none(),
          "end with exit code 75 when nothing is left but tasks that wait for a person (for CI)"},
         [](launch::RunOptions& run, const std::string&) { run.exit_when_waiting = true; },
         OnResume::kept},
        {{"budget-usd", cli::dollars("X"),
          "how many dollars the agents may cost in all, also before a resume; then the run ends, with exit "
          "code 75 "
          "and the command that resumes it with more (default: the config's)"},
         into(&launch::RunOptions::budget_usd),
         OnResume::kept},
        {{"budget-tokens", cli::whole_number("N", 1, base::most_tokens),
          "the same in tokens, input and output together"},
         into(&launch::RunOptions::budget_tokens),
         OnResume::kept},
        {{"jobs", cli::whole_number("N", 1, base::most_jobs),
          "how many local processes run at the same time (default: two per processor, at least 4)"},
         into(&launch::RunOptions::jobs),
         OnResume::kept},
        {{"detach", cli::none(),
          "print the id of the run and return when it has begun; it goes on in the background, without a "
          "terminal, and its log is run.log in its directory",
          'd'},
         into(&launch::RunOptions::detach),
         OnResume::left_out},
        {{"dry-run", cli::none(),
          "check everything, print what would be started, and start and create nothing"},
         into(&launch::RunOptions::dry_run),
         OnResume::left_out},
        {{"stub", cli::none(),
          "walk through the steps with made-up responses, taking each transition once; no command, hook or "
          "agent is run"},
         into(&launch::RunOptions::stub),
         OnResume::left_out},
    };
}

std::vector<RunOption> output_options() {
    return {
        {{"keep-output",
          cli::text("SIZE|all|none", "a number of bytes (for example 256K), all or none")
              .with_default(launch::default_keep_output),
          "how much to keep of what commands and hooks write, for `barnum logs`: of each attempt, hook and "
          "stream the first and the last SIZE bytes, all or nothing"},
         into(&launch::RunOptions::keep_output_text),
         OnResume::kept},
        {{"no-redact", cli::none(),
          "keep secrets in kept output and in the log, instead of *** for the values of environment "
          "variables "
          "whose name contains TOKEN, SECRET, PASSWORD, API_KEY or CREDENTIAL, or is in BARNUM_REDACT"},
         [](launch::RunOptions& run, const std::string&) { run.redacts = false; },
         OnResume::kept},
        {{"log-file", cli::file("FILE", "the path of a file"), "append the log to this file as well"},
         into(&launch::RunOptions::log_file),
         OnResume::kept},
        {{"progress",
          cli::choice("HOW", {{"auto", "tty on a terminal, else plain"},
                              {"tty", "a table that is updated"},
                              {"plain", "log lines, a summary every 30 s"},
                              {"json", "a stream of events"},
                              {"none", "only the log"}})
              .with_default("auto"),
          "how progress is shown on stderr"},
         [](launch::RunOptions& run, const std::string& name) {
             run.progress = progress::parse_progress_mode(name).value();
         },
         OnResume::kept},
        {color_option(),
         [](launch::RunOptions& run, const std::string& name) {
             run.color = terminal::parse_color(name).value();
         },
         OnResume::kept},
    };
}

std::vector<RunOption> joined(std::initializer_list<std::vector<RunOption>> parts) {
    std::vector<RunOption> all;
    for (const auto& part : parts)
        all.insert(all.end(), part.begin(), part.end());
    return all;
}

}  // namespace

const std::vector<RunOption>& run_option_table() {
    static const std::vector<RunOption> table =
        joined({input_options(), log_options(), pool_options(), agent_options(), bound_options(),
                execution_options(), output_options()});
    return table;
}

const cli::Option& resume_from_option() {
    static const cli::Option option{
        "resume-from",
        cli::text("RUN", "the path of a state log, or the id of a run").completed_by(run_candidates),
        "continue this run with the config in its state log, which is not changed: the new run writes a "
        "state "
        "log of its own (--state-log). RUN is the path of the log or of the run's directory, the run's id or "
        "the beginning of it, its name, last, or @"};
    return option;
}

const std::vector<RunOption>& global_option_table() {
    static const std::vector<RunOption> table{
        {cli::root_option(), into(&launch::RunOptions::root), OnResume::kept},
        {cli::log_level_option(),
         [](launch::RunOptions& run, const std::string& name) {
             run.log_level = io::log::parse_level(name).value();
         },
         OnResume::kept},
        {cli::log_format_option(), into(&launch::RunOptions::log_format), OnResume::kept},
        {cli::help_option(), {}, OnResume::left_out},
    };
    return table;
}

std::vector<RunOption> all_run_options() {
    return joined({run_option_table(), global_option_table()});
}

}  // namespace barnum
