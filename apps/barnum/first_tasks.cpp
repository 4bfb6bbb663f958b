#include "first_tasks.hpp"

#include "base/json.hpp"
#include "base/text.hpp"
#include "config/schema.hpp"
#include "io/directory.hpp"

#include <limits>
#include <string_view>
#include <utility>

namespace barnum {

namespace {

bool looks_like_json(std::string_view text) {
    auto first = text.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos &&
           std::string_view("{[\"/").find(text[first]) != std::string_view::npos;
}

// An argument is JSON text, or else the path of a file with such text. A path may begin like a comment does.
base::Result<std::string> json_argument(const std::string& argument, const std::string& option) {
    if (!json::check(argument, json::Dialect::jsonc)) return argument;
    auto text =
        io::read_regular_file(argument, std::numeric_limits<std::ptrdiff_t>::max(), io::Whose::anybodys);
    if (text.has_value()) return text;
    bool missing = text.error().code == boost::system::errc::no_such_file_or_directory;
    if (missing && looks_like_json(argument) && !argument.starts_with('/')) return argument;
    return base::with_context(
        base::concat(option,
                     " takes JSON (in quotes, so that the shell leaves it whole) or the path of a file"),
        text.error());
}

base::Result<std::vector<config::NewTask>> entrypoint_task(const config::WorkflowConfig& config,
                                                           const std::string& argument) {
    const std::string option = "--entrypoint-value";
    if (!config.entrypoint)
        return base::invalid(
            "the config has no \"entrypoint\": give the first tasks with --initial-state, an array of "
            "{\"kind\",\"value\"}");
    auto text = json_argument(argument, option);
    if (!text) return text.error();
    auto value = json::parse(*text, option, json::Dialect::jsonc);
    if (!value) return value.error();
    const config::Step& step = config.step(*config.entrypoint);
    config::NewTask task{*config.entrypoint, json::compact(*value)};
    if (step.value_schema)
        if (auto violation = step.value_schema->violation(json::View::of(task.value)))
            return base::invalid(
                base::concat(option, " does not fit the value_schema of ", step.name, ": ", *violation));
    std::vector<config::NewTask> tasks;
    tasks.push_back(std::move(task));
    return tasks;
}

}  // namespace

base::Result<std::vector<config::NewTask>> first_tasks(const config::WorkflowConfig& config,
                                                       const RunOptions& options) {
    if (!options.initial_state) return entrypoint_task(config, options.entrypoint_value.value_or("{}"));
    auto text = json_argument(*options.initial_state, "--initial-state");
    if (!text) return text.error();
    return config::parse_tasks(config, *text, "--initial-state");
}

}  // namespace barnum
