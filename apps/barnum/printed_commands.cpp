#include "printed_commands.hpp"

#include "base/shell.hpp"
#include "base/text.hpp"
#include "run_option_table.hpp"

#include <cerrno>
#include <string_view>
#include <vector>

namespace barnum {

namespace {

// A server starts commands by a path that is gone when the server ends (own_command).
std::string own_name() {
    std::string_view name = program_invocation_name;
    return name.starts_with("/proc/") ? "barnum" : std::string(name);
}

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

std::vector<std::string> values_on_resume(const RunOption& row, const RunOptions& options,
                                          const std::string& log_path) {
    std::string replacement = row.replacement ? row.replacement(options, log_path) : "";
    if (!replacement.empty()) return {replacement};
    auto kept = options.kept.find(row.option.name);
    return kept == options.kept.end() ? std::vector<std::string>() : kept->second;
}

}  // namespace

std::string command_to_resume(const RunOptions& options, const std::string& log_path) {
    std::string program = own_name();
    bool needs_directory = is_relative(program) && program.find('/') != std::string::npos;
    std::string command = base::shell_word(program) + " run";
    for (const RunOption& row : all_run_options()) {
        bool is_switch = row.option.value.kind == cli::Value::Kind::none;
        for (const std::string& text : values_on_resume(row, options, log_path)) {
            command += base::concat(" --", row.option.name, is_switch ? "" : " " + base::shell_word(text));
            needs_directory = needs_directory || depends_on_directory(row, text);
        }
    }
    if (!needs_directory) return command;
    return base::concat("cd ", base::shell_word(options.directory), " && ", command);
}

std::string short_command_to_resume(const std::string& log_path) {
    std::string word =
        log_path.starts_with('-') ? "./" + log_path : log_path;  // or it would be taken for an option
    return base::concat("barnum run --", resume_from_option().name, " ", base::shell_word(word));
}

std::string command_to_resume(const std::string& run_id) {
    return base::concat(base::shell_word(own_name()), " resume ", base::shell_word(run_id));
}

std::string command_to_inspect(const std::string& log_path) {
    return base::concat(base::shell_word(own_name()), " inspect ", base::shell_word(log_path));
}

}  // namespace barnum
