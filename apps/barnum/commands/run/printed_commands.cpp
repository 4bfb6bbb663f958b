#include "commands/run/printed_commands.hpp"

#include "base/text.hpp"
#include "commands/run/run_option_table.hpp"
#include "json/shown_word.hpp"
#include "runs/next_commands.hpp"

#include <string_view>
#include <vector>

namespace barnum {

namespace {

bool is_relative(const std::string& path) {
    return !path.empty() && path.front() != '/';
}

// Whether the value means something else in another directory.
bool depends_on_directory(const RunOption& row, const std::string& text) {
    using Kind = cli::Value::Kind;
    const cli::Value& value = row.option.value;
    return row.depends_on_directory || value.kind == Kind::script ||
           ((value.kind == Kind::file || value.kind == Kind::directory) && is_relative(text));
}

std::vector<std::string> values_on_resume(const RunOption& row, const launch::RunOptions& options,
                                          const std::string& log_path) {
    std::string replacement = row.replacement ? row.replacement(options, log_path) : "";
    if (!replacement.empty()) return {replacement};
    auto kept = options.kept.find(row.option.name);
    return kept == options.kept.end() ? std::vector<std::string>() : kept->second;
}

}  // namespace

std::string command_to_resume(const launch::RunOptions& options, const std::string& log_path) {
    std::string program = runs::own_name();
    bool needs_directory = is_relative(program) && program.find('/') != std::string::npos;
    std::string command = json::shown_word(program) + " run";
    for (const RunOption& row : all_run_options()) {
        bool is_switch = row.option.value.kind == cli::Value::Kind::none;
        for (const std::string& text : values_on_resume(row, options, log_path)) {
            command += base::concat(" --", row.option.name, is_switch ? "" : " " + json::shown_word(text));
            needs_directory = needs_directory || depends_on_directory(row, text);
        }
    }
    if (!needs_directory) return command;
    return base::concat("cd ", json::shown_word(options.directory), " && ", command);
}

std::vector<std::string> kept_arguments(const launch::RunOptions& options) {
    std::vector<std::string> arguments;
    for (const RunOption& row : all_run_options()) {
        auto kept = options.kept.find(row.option.name);
        if (kept == options.kept.end()) continue;
        for (const std::string& text : kept->second)
            arguments.push_back(cli::argument_of(row.option, text));
    }
    return arguments;
}

}  // namespace barnum
