#include "run_options.hpp"

#include "base/shell.hpp"
#include "base/text.hpp"
#include "value_candidates.hpp"

#include <boost/program_options/value_semantic.hpp>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <thread>

namespace barnum {

namespace po = boost::program_options;

namespace {

// Signed, because an unsigned option takes "-1" for a very large number.
using Number = std::int64_t;

std::size_t default_jobs() {
    return std::max<std::size_t>(4, 2 * std::size_t{std::thread::hardware_concurrency()});
}

std::optional<std::string> text(const cli::Options& options, const char* name) {
    if (!options.count(name)) return std::nullopt;
    return options[name].as<std::string>();
}

base::Result<void> read_numbers(const cli::Options& options, RunOptions& result) {
    if (options.count("jobs")) {
        auto jobs = options["jobs"].as<Number>();
        if (jobs < 1 || jobs > 100'000) return base::invalid("--jobs must be between 1 and 100000");
        result.jobs = static_cast<std::size_t>(jobs);
    }
    auto wait = options["pool-wait-secs"].as<Number>();
    if (wait < 0 || wait > 100'000'000)
        return base::invalid("--pool-wait-secs must be between 0 and 100000000");
    result.pool_wait = std::chrono::seconds{wait};
    auto agents = options["agents"].as<Number>();
    if (agents < 0 || agents > 1000) return base::invalid("--agents must be between 0 and 1000");
    result.agents = static_cast<std::size_t>(agents);
    if ((result.agents > 0) == result.agent_exec.empty())
        return base::invalid(
            "--agents K and --agent-exec CMD go together: how many agents, and what each runs");
    if (result.has_own_pool() && !result.embedded_pool)
        return base::invalid(
            "--no-embedded-pool does not go with --agents without --pool: such agents work in a pool that "
            "the run "
            "hosts itself; name the pool that they are to serve with --pool");
    return {};
}

base::Result<void> read_log_options(const cli::Options& options, RunOptions& result) {
    auto config = text(options, "config");
    result.initial_state = text(options, "initial-state");
    result.entrypoint_value = text(options, "entrypoint-value");
    result.state_log = text(options, "state-log");
    result.resume_from = text(options, "resume-from");
    if (!config && !result.resume_from)
        return base::invalid("--config is missing: the path of a workflow, or its text");
    if (result.resume_from)
        for (const char* name : {"config", "initial-state", "entrypoint-value"})
            if (options.count(name))
                return base::invalid(base::concat("--resume-from does not go with --", name,
                                                  ": config and values are those in the state log"));
    result.config = config.value_or("");
    if (result.state_log && result.state_log->empty()) return base::invalid("--state-log is empty");
    return {};
}

statelog::Fsync parse_fsync(const std::string& policy) {
    if (policy == "interval") return statelog::Fsync::interval;
    return policy == "never" ? statelog::Fsync::never : statelog::Fsync::always;
}

// What the table has choices for is one of these by now.
void read_choices(const cli::Options& options, RunOptions& result) {
    result.fsync = parse_fsync(options["fsync"].as<std::string>());
    result.progress = parse_progress_mode(options["progress"].as<std::string>()).value();
    result.color = terminal::parse_color(options["color"].as<std::string>()).value();
    result.log_level = io::log::parse_level(options["log-level"].as<std::string>()).value();
}

// A stub has no agents, no pool and no log: options that ask for something that is not going to happen.
base::Result<void> read_trial_options(const cli::Options& options, RunOptions& result) {
    result.dry_run = options["dry-run"].as<bool>();
    result.stub = options["stub"].as<bool>();
    if (result.dry_run && result.stub)
        return base::invalid("--dry-run and --stub do not go together: one only tells, the other walks");
    if (!result.stub) return {};
    if (result.resume_from)
        return base::invalid("--stub does not go with --resume-from: it walks from the first tasks on");
    if (result.state_log)
        return base::invalid(
            "--stub does not go with --state-log: made-up tasks must not be resumed as though they were "
            "real");
    if (result.agents > 0) return base::invalid("--stub does not go with --agents: answers are made up");
    if (result.wake) return base::invalid("--stub does not go with --wake: nothing is run");
    if (result.progress != ProgressMode::automatic && result.progress != ProgressMode::none)
        return base::invalid("--stub does not go with --progress: it tells its walk on stdout");
    return {};
}

std::string_view fsync_name(statelog::Fsync policy) {
    switch (policy) {
        case statelog::Fsync::interval:
            return "interval";
        case statelog::Fsync::never:
            return "never";
        case statelog::Fsync::always:
            break;
    }
    return "always";
}

// A name for the next log that is not taken: run.ndjson, run-resumed.ndjson, run-resumed-2.ndjson, …; empty
// if such a name would be too long.
std::string next_log(const std::filesystem::path& log) {
    std::string stem = log.stem().string();
    stem.resize(std::min(stem.size(), stem.rfind("-resumed")));
    for (unsigned number = 1;; ++number) {
        auto name = base::concat(stem, "-resumed", number > 1 ? base::concat("-", number) : "",
                                 log.extension().string());
        if (name.size() > NAME_MAX) return "";
        auto path = log.parent_path() / name;
        std::error_code ignored;
        if (!std::filesystem::exists(std::filesystem::symlink_status(path, ignored))) return path.string();
    }
}

}  // namespace

po::options_description run_option_table() {
    po::options_description table("Options", 100);
    auto add = table.add_options();
    add("config", po::value<std::string>()->value_name("FILE|JSON"),
        "the workflow, JSONC; required unless a run is resumed; the word --config may be left out");
    add("entrypoint-value", po::value<std::string>()->value_name("FILE|JSON"),
        "value of the first task, which is of the config's entrypoint (default: {})");
    add("initial-state", po::value<std::string>()->value_name("FILE|JSON"),
        "the first tasks, an array of {\"kind\",\"value\"}; takes the place of the entrypoint and its value");
    add("state-log", po::value<std::string>()->value_name("FILE"),
        "where to log what happens, for --resume-from; a new file (default: "
        "${XDG_STATE_HOME:-~/.local/state}/barnum/<run-id>.ndjson)");
    add("resume-from", po::value<std::string>()->value_name("FILE"),
        "go on with the run that wrote this state log, with the config in it; the log stays as "
        "it is, and the new run writes one of its own (--state-log)");
    add("fsync", po::value<std::string>()->default_value("always")->value_name("POLICY"),
        "when the state log is made durable: always (before anything follows from an entry), interval (each "
        "second) or never");
    add("pool", po::value<std::string>()->default_value("")->value_name("ID"),
        "the pool, shared with others (default: default; with --agents a pool of the run's own)");
    add("no-embedded-pool", po::bool_switch(), "wait for a pool daemon instead of hosting the pool");
    add("pool-wait-secs", po::value<Number>()->default_value(300)->value_name("N"),
        "how long to wait for a pool that is away");
    add("agents", po::value<Number>()->default_value(0)->value_name("K"),
        "run K agents as long as the run lasts");
    add("agent-exec", po::value<std::string>()->default_value("")->value_name("CMD"),
        "what an agent runs for each task, in this directory: task on stdin, response on stdout");
    add("wake", po::value<std::string>()->value_name("SCRIPT"),
        "run this shell script before the first task");
    add("jobs", po::value<Number>()->value_name("N"),
        "local processes at once (default: two for each processor, at least 4)");
    add("dry-run", po::bool_switch(),
        "check everything, tell on stdout what would be started, and start and create nothing");
    add("stub", po::bool_switch(),
        "walk through the steps with made-up answers, each transition once: no command, hook or agent is "
        "run");
    add("log-file", po::value<std::string>()->value_name("FILE"), "append the log to this file, too");
    add("progress", po::value<std::string>()->default_value("auto")->value_name("HOW"),
        "progress on stderr: tty (a live table), plain (log lines, a summary every 30 s), json (a stream of "
        "events) or none (only the log); auto is tty on a terminal, else plain");
    add("color", po::value<std::string>()->default_value("auto")->value_name("WHEN"),
        "auto (on a terminal; NO_COLOR and CLICOLOR_FORCE are heeded), always or never");
    return table;
}

cli::ValuesByOption run_option_values() {
    return {{"config", cli::files()},
            {"entrypoint-value", cli::files()},
            {"initial-state", cli::found_by(first_tasks_file_or_steps)},
            {"state-log", cli::files()},
            {"resume-from", cli::files()},
            {"fsync", cli::one_of({"always", "interval", "never"})},
            {"pool", cli::found_by(pool_names)},
            {"agent-exec", cli::files()},
            {"wake", cli::files()},
            {"log-file", cli::files()},
            {"progress", cli::one_of({"auto", "tty", "plain", "json", "none"})},
            {"color", cli::one_of({"auto", "always", "never"})}};
}

cli::ValuesByOption global_option_values() {
    return {{"root", cli::directories()},
            {"log-level", cli::one_of({"off", "error", "warn", "info", "debug", "trace"})}};
}

po::options_description global_option_table() {
    po::options_description table("Everywhere", 100);
    auto add = table.add_options();
    add("root", po::value<std::string>()->default_value("")->value_name("DIR"),
        "where pools are (default: $TROUPE_ROOT, else $AGENT_POOL_ROOT, else /tmp/troupe)");
    add("log-level,l", po::value<std::string>()->default_value("info")->value_name("LEVEL"),
        "off, error, warn, info, debug or trace");
    add("help,h", "print help");
    return table;
}

base::Result<RunOptions> read_run_options(const cli::Options& options) {
    RunOptions result;
    if (auto read = read_log_options(options, result); !read) return read.error();
    read_choices(options, result);
    result.root = options["root"].as<std::string>();
    result.pool = options["pool"].as<std::string>();
    result.wake = text(options, "wake");
    result.log_file = text(options, "log-file");
    result.agent_exec = options["agent-exec"].as<std::string>();
    result.embedded_pool = !options["no-embedded-pool"].as<bool>();
    result.jobs = default_jobs();
    if (auto numbers = read_numbers(options, result); !numbers) return numbers.error();
    if (auto trial = read_trial_options(options, result); !trial) return trial.error();
    return result;
}

namespace {

// Whether the command means something else in another directory.
bool depends_on_directory(const RunOptions& options) {
    auto is_relative = [](const std::string& path) { return !path.empty() && path.front() != '/'; };
    std::string program = program_invocation_name;
    return !options.agent_exec.empty() || options.wake || is_relative(options.log_file.value_or("")) ||
           is_relative(options.root) || (is_relative(program) && program.find('/') != std::string::npos);
}

}  // namespace

std::string resume_command(const RunOptions& options, const std::string& log_path) {
    std::string command;
    if (depends_on_directory(options))
        command = base::concat("cd ", base::shell_word(options.directory), " && ");
    command += base::concat(base::shell_word(program_invocation_name), " run --resume-from ",
                            base::shell_word(log_path));
    auto add = [&](std::string_view name, const std::string& value) {
        command += base::concat(" --", name, " ", base::shell_word(value));
    };
    if (std::string next = options.state_log ? next_log(log_path) : ""; !next.empty()) add("state-log", next);
    if (options.fsync != statelog::Fsync::always) add("fsync", std::string(fsync_name(options.fsync)));
    if (!options.root.empty()) add("root", options.root);
    if (!options.pool.empty()) add("pool", options.pool);
    if (!options.embedded_pool) command += " --no-embedded-pool";
    if (options.pool_wait != RunOptions().pool_wait)
        add("pool-wait-secs", std::to_string(options.pool_wait.count()));
    if (options.agents > 0) add("agents", std::to_string(options.agents));
    if (!options.agent_exec.empty()) add("agent-exec", options.agent_exec);
    if (options.wake) add("wake", *options.wake);
    if (options.jobs != default_jobs()) add("jobs", std::to_string(options.jobs));
    if (options.log_file) add("log-file", *options.log_file);
    if (options.log_level != RunOptions().log_level)
        add("log-level", std::string(io::log::name_of(options.log_level)));
    if (options.progress != ProgressMode::automatic) add("progress", std::string(name_of(options.progress)));
    if (options.color != terminal::Color::automatic)
        add("color", options.color == terminal::Color::always ? "always" : "never");
    return command;
}

std::string inspect_command_line(const std::string& log_path) {
    return base::concat(base::shell_word(program_invocation_name), " inspect ", base::shell_word(log_path));
}

}  // namespace barnum
