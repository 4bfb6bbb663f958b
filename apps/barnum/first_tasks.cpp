#include "first_tasks.hpp"

#include "base/json.hpp"
#include "base/text.hpp"
#include "config/load.hpp"
#include "config/problem_list.hpp"
#include "config/schema.hpp"
#include "config/schema_pointer.hpp"
#include "io/directory.hpp"
#include "problem_output.hpp"

#include <functional>
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

struct Input {
    std::string name;  // of the file, or <inline>
    std::string text;
};

// An argument is JSON text, or else the path of a file with such text. A path may begin like a comment does.
base::Result<Input> json_argument(const std::string& argument, const std::string& option) {
    Input given{std::string(config::inline_name), argument};
    if (!json::check(argument, json::Dialect::jsonc)) return given;
    auto text =
        io::read_regular_file(argument, std::numeric_limits<std::ptrdiff_t>::max(), io::Whose::anybodys);
    if (text.has_value()) return Input{argument, std::move(*text)};
    bool missing = text.error().code == boost::system::errc::no_such_file_or_directory;
    if (missing && looks_like_json(argument) && !argument.starts_with('/')) return given;
    return base::with_context(
        base::concat(option,
                     " takes JSON (in quotes, so that the shell leaves it whole) or the path of a file"),
        text.error());
}

base::Error wrong(const std::string& option, const config::Problems& problems) {
    return base::invalid(base::concat(option, " has ", base::counted(problems.count(), "error"),
                                      "; nothing was started:", problem_text(problems)));
}

using Tasks = std::vector<config::NewTask>;
using Read = std::function<Tasks(json::View value, config::ProblemList& problems)>;

// What `read` makes of the option's value, if it finds no problem.
base::Result<Tasks> read_option(const std::string& option, const std::string& argument, const Read& read) {
    auto input = json_argument(argument, option);
    if (!input) return input.error();
    config::ProblemList problems(input->text, input->name);
    Tasks tasks;
    if (auto error = json::check(input->text, json::Dialect::jsonc))
        problems.add(error->offset, error->message);
    else
        tasks = read(json::View::of(input->text), problems);
    if (!problems.empty()) return wrong(option, problems.take());
    return tasks;
}

Tasks entrypoint_task(const config::WorkflowConfig& config, json::View value, config::ProblemList& problems) {
    const config::Step& step = config.step(*config.entrypoint);
    auto violation = step.value_schema ? step.value_schema->violation(value) : std::nullopt;
    if (violation)
        problems.add(config::follow_path(value, violation->path), config::misfit(step, *violation));
    Tasks tasks;
    tasks.push_back({*config.entrypoint, json::compact(value)});
    return tasks;
}

}  // namespace

base::Result<std::vector<config::NewTask>> first_tasks(const config::WorkflowConfig& config,
                                                       const RunOptions& options) {
    if (options.initial_state)
        return read_option("--initial-state", *options.initial_state,
                           [&](json::View value, config::ProblemList& problems) {
                               return config::read_tasks(config, value, problems);
                           });
    if (!config.entrypoint)
        return base::invalid(
            "the config has no \"entrypoint\": give the first tasks with --initial-state, an array of "
            "{\"kind\",\"value\"}");
    return read_option("--entrypoint-value", options.entrypoint_value.value_or("{}"),
                       [&](json::View value, config::ProblemList& problems) {
                           return entrypoint_task(config, value, problems);
                       });
}

}  // namespace barnum
