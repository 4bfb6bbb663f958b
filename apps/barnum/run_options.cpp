#include "run_options.hpp"

#include "base/text.hpp"

#include <boost/program_options/value_semantic.hpp>

#include <algorithm>
#include <cstdint>
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
        if (jobs < 1) return base::invalid("--jobs must be at least 1");
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
    return {};
}

}  // namespace

po::options_description run_option_table() {
    po::options_description table("Options", 100);
    auto add = table.add_options();
    add("config", po::value<std::string>()->value_name("FILE|JSON"), "the workflow, JSONC; required");
    add("entrypoint-value", po::value<std::string>()->value_name("FILE|JSON"),
        "value of the first task, which is of the config's entrypoint (default: {})");
    add("initial-state", po::value<std::string>()->value_name("FILE|JSON"),
        "the first tasks, an array of {\"kind\",\"value\"}; takes the place of the entrypoint and its value");
    add("pool", po::value<std::string>()->default_value("")->value_name("ID"), "the pool (default: default)");
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
        base::concat("local processes at once (default here: ", default_jobs(), ")").c_str());
    add("log-file", po::value<std::string>()->value_name("FILE"), "append the log to this file, too");
    return table;
}

po::options_description global_option_table() {
    po::options_description table("Everywhere", 100);
    auto add = table.add_options();
    add("root", po::value<std::string>()->default_value("")->value_name("DIR"),
        "where pools are (default: $TROUPE_ROOT, else /tmp/troupe)");
    add("log-level,l", po::value<std::string>()->default_value("info")->value_name("LEVEL"),
        "off, error, warn, info, debug or trace");
    add("help,h", "print help");
    return table;
}

base::Result<RunOptions> read_run_options(const cli::Options& options) {
    RunOptions result;
    auto config = text(options, "config");
    if (!config) return base::invalid("--config is missing: the path of a workflow, or its text");
    result.config = std::move(*config);
    result.initial_state = text(options, "initial-state");
    result.entrypoint_value = text(options, "entrypoint-value");
    result.root = options["root"].as<std::string>();
    result.pool = options["pool"].as<std::string>();
    result.wake = text(options, "wake");
    result.log_file = text(options, "log-file");
    result.agent_exec = options["agent-exec"].as<std::string>();
    result.embedded_pool = !options["no-embedded-pool"].as<bool>();
    result.jobs = default_jobs();
    auto level = io::log::parse_level(options["log-level"].as<std::string>());
    if (!level) return base::invalid("--log-level must be off, error, warn, info, debug or trace");
    result.log_level = *level;
    if (auto numbers = read_numbers(options, result); !numbers) return numbers.error();
    return result;
}

}  // namespace barnum
