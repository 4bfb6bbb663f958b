#include "commands/run/replay_options.hpp"

#include "candidates/value_candidates.hpp"
#include "commands/run/run_option_table.hpp"
#include "run_argument.hpp"

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <utility>

namespace barnum {

namespace {

using cli::into;

// The option of `barnum run` of that name.
const cli::Option& option_of_run(std::string_view name) {
    return std::ranges::find(run_option_table(), name, [](const RunOption& row) { return row.option.name; })
        ->option;
}

cli::Option described(cli::Option option, std::string summary) {
    option.summary = std::move(summary);
    return option;
}

cli::OptionTable<ReplayOptions> changes() {
    return {
        {{"value", cli::file("FILE|JSON", "JSON text in quotes, or the path of a file with JSON"),
          "another value for the task"},
         into(&ReplayOptions::value)},
        {{"instructions", cli::file("FILE", "the path of a file with instructions"),
          "the instructions for the agent, in markdown, instead of those of the step"},
         into(&ReplayOptions::instructions)},
    };
}

cli::OptionTable<ReplayOptions> pool_and_agents() {
    return {
        {described(option_of_run("pool"), "the pool (default: that of the run)"), into(&ReplayOptions::pool)},
        {described(option_of_run("agent"), "agents of this kind, instead of those of the run; repeatable"),
         into(&ReplayOptions::agents)},
        {described(option_of_run("agent-exec"),
                   "one agent that runs this shell command, instead of those of the run"),
         into(&ReplayOptions::agent_exec)},
        {described(option_of_run("no-agents"), "no agents: those that are attached to the pool do the task"),
         into(&ReplayOptions::no_agents)},
        {{"transcripts", cli::directory("DIR", "the path of a directory"),
          "where to keep the transcripts of the agents (default: nowhere)"},
         into(&ReplayOptions::transcripts)},
    };
}

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
    return std::ranges::find(names, name) != names.end();
}

// An agent of the replay's own is to do the task, and no other that might take it.
bool is_repeated(std::string_view name, const ReplayOptions& options) {
    if (is_one_of(name, {"agent", "agents", "agent-exec", "no-agents"}))
        return !options.has_agents() && !options.no_agents;
    if (is_one_of(name, {"pool", "no-embedded-pool", "wake"})) return !options.has_agents() && !options.pool;
    return is_one_of(name, {"root", "pool-wait-secs", "fail-fast", "no-redact"});
}

}  // namespace

const cli::OptionTable<ReplayOptions>& replay_option_table() {
    static const cli::OptionTable<ReplayOptions> table = [] {
        cli::OptionTable<ReplayOptions> rows{
            {run_argument("the run"), into(&ReplayOptions::run)},
            {{.name = "task",
              .value = cli::whole_number("ID", 0).completed_by(candidates::tasks_of_run),
              .summary =
                  "the task, or the finally: the number of any of its attempts; the word --task may be "
                  "left out",
              .is_positional = true,
              .is_required = true},
             into(&ReplayOptions::task)}};
        for (const auto& part : {changes(), pool_and_agents()})
            rows.insert(rows.end(), part.begin(), part.end());
        return rows;
    }();
    return table;
}

std::vector<std::string> run_arguments(const std::vector<std::string>& recorded,
                                       const ReplayOptions& options) {
    std::vector<std::string> arguments;
    auto add = [&](std::string_view name, const std::string& text) {
        arguments.push_back(cli::argument_of(option_of_run(name), text));
    };
    for (const std::string& argument : recorded) {
        std::string_view name = std::string_view(argument).substr(0, argument.find('='));
        if (name.starts_with("--") && is_repeated(name.substr(2), options)) arguments.push_back(argument);
    }
    if (options.pool) add("pool", *options.pool);
    for (const std::string& agent : options.agents)
        add("agent", agent);
    if (options.agent_exec) {
        add("agent-exec", *options.agent_exec);
        add("agents", "1");
    }
    if (options.has_agents() || options.no_agents) add("no-agents", "");
    add("transcripts", options.transcripts.value_or("none"));
    return arguments;
}

}  // namespace barnum
