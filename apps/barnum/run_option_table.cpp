#include "run_option_table.hpp"

#include "cli/common_options.hpp"
#include "next_log.hpp"
#include "value_candidates.hpp"

namespace barnum {

namespace {

using cli::into;

constexpr const char* json_or_file = "JSON text in quotes, or the path of a file with JSON";
constexpr const char* pool_name = "the id of a pool (for example reviews)";
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
         into(&RunOptions::config),
         OnResume::left_out},
        {{"entrypoint-value", cli::file("FILE|JSON", json_or_file),
          "the value of the first task, which is of the config's entrypoint (default: {})"},
         into(&RunOptions::entrypoint_value),
         OnResume::left_out},
        {{"initial-state", cli::file("FILE|JSON", json_or_file).completed_by(first_tasks_file_or_steps),
          "the first tasks, an array of {\"kind\",\"value\"}, instead of one task of the entrypoint"},
         into(&RunOptions::initial_state),
         OnResume::left_out},
    };
}

std::vector<RunOption> log_options() {
    return {
        {resume_from_option(), into(&RunOptions::resume_from), OnResume::replaced,
         [](const RunOptions&, const std::string& log_path) { return log_path; }},
        // In the default directory, logs are named after their runs.
        {{"state-log", cli::file("FILE", "the path of a new file"),
          "a new file for the state log (default: ${XDG_STATE_HOME:-~/.local/state}/barnum/<run-id>.ndjson)"},
         into(&RunOptions::state_log),
         OnResume::replaced,
         [](const RunOptions& run, const std::string& log_path) {
             return run.state_log ? next_log(log_path) : "";
         }},
        {{"fsync",
          cli::choice("POLICY", {{"always", "before anything follows from an entry"},
                                 {"interval", "every second"},
                                 {"never", "when the kernel decides to"}})
              .with_default("always"),
          "when the state log is synced to the disk"},
         [](RunOptions& run, const std::string& name) { run.fsync = fsync_policy(name); },
         OnResume::kept},
    };
}

std::vector<RunOption> pool_options() {
    return {
        {{"pool", cli::text("ID", pool_name).completed_by(pool_names),
          "the pool, which is shared with other programs (default: `default`; with --agents, the run's own "
          "pool)"},
         into(&RunOptions::pool),
         OnResume::kept},
        {{"no-embedded-pool", cli::none(), "wait for a pool daemon instead of hosting the pool"},
         [](RunOptions& run, const std::string&) { run.embedded_pool = false; },
         OnResume::kept},
        {{"pool-wait-secs", cli::whole_number("N", 0, 100'000'000).with_default("300"),
          "how many seconds to wait for a pool that no daemon serves"},
         into(&RunOptions::pool_wait),
         OnResume::kept},
        {{"agents", cli::whole_number("K", 0, 1000).with_default("0"),
          "run K agents for as long as the run lasts (with --agent-exec)"},
         into(&RunOptions::agents),
         OnResume::kept},
        {{"agent-exec", cli::script("CMD", command_text),
          "the shell command that an agent runs for each task, in the current directory: task on stdin, "
          "response on stdout"},
         into(&RunOptions::agent_exec),
         OnResume::kept},
        {{"wake", cli::script("SCRIPT", command_text), "run this shell command before the first task"},
         into(&RunOptions::wake),
         OnResume::kept},
    };
}

std::vector<RunOption> execution_options() {
    return {
        {{"jobs", cli::whole_number("N", 1, 100'000),
          "how many local processes run at the same time (default: two per processor, at least 4)"},
         into(&RunOptions::jobs),
         OnResume::kept},
        {{"dry-run", cli::none(),
          "check everything, print what would be started, and start and create nothing"},
         into(&RunOptions::dry_run),
         OnResume::left_out},
        {{"stub", cli::none(),
          "walk through the steps with made-up responses, taking each transition once; no command, hook or "
          "agent is run"},
         into(&RunOptions::stub),
         OnResume::left_out},
    };
}

std::vector<RunOption> output_options() {
    return {
        {{"log-file", cli::file("FILE", "the path of a file"), "append the log to this file as well"},
         into(&RunOptions::log_file),
         OnResume::kept},
        {{"progress",
          cli::choice("HOW", {{"auto", "tty on a terminal, else plain"},
                              {"tty", "a table that is updated"},
                              {"plain", "log lines, a summary every 30 s"},
                              {"json", "a stream of events"},
                              {"none", "only the log"}})
              .with_default("auto"),
          "how progress is shown on stderr"},
         [](RunOptions& run, const std::string& name) { run.progress = parse_progress_mode(name).value(); },
         OnResume::kept},
        {{"color",
          cli::choice("WHEN", {{"auto", "on a terminal, unless NO_COLOR or CLICOLOR_FORCE says otherwise"},
                               {"always"},
                               {"never"}})
              .with_default("auto"),
          "when colors are used"},
         [](RunOptions& run, const std::string& name) { run.color = terminal::parse_color(name).value(); },
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
        joined({input_options(), log_options(), pool_options(), execution_options(), output_options()});
    return table;
}

const cli::Option& resume_from_option() {
    static const cli::Option option{"resume-from", cli::file("FILE", "the path of a state log"),
                                    "continue the run that wrote this state log, with the config in it; the "
                                    "file is not changed, and the new run "
                                    "writes a state log of its own (--state-log)"};
    return option;
}

const std::vector<RunOption>& global_option_table() {
    static const std::vector<RunOption> table{
        {cli::root_option(), into(&RunOptions::root), OnResume::kept},
        {cli::log_level_option(),
         [](RunOptions& run, const std::string& name) { run.log_level = io::log::parse_level(name).value(); },
         OnResume::kept},
        {cli::help_option(), {}, OnResume::left_out},
    };
    return table;
}

std::vector<RunOption> all_run_options() {
    return joined({run_option_table(), global_option_table()});
}

}  // namespace barnum
