#include "resume_command.hpp"

#include "base/shell.hpp"
#include "base/text.hpp"
#include "run_option_table.hpp"

#include <cerrno>
#include <optional>

namespace barnum {

namespace {

bool is_relative(const std::string& path) {
    return !path.empty() && path.front() != '/';
}

// Whether the value means something else in another directory.
bool depends_on_directory(const cli::Value& value, const std::string& text) {
    using Kind = cli::Value::Kind;
    return value.kind == Kind::script ||
           ((value.kind == Kind::file || value.kind == Kind::directory) && is_relative(text));
}

std::optional<std::string> value_on_resume(const RunOption& row, const RunOptions& options,
                                           const std::string& log_path) {
    std::string replacement = row.replacement ? row.replacement(options, log_path) : "";
    if (!replacement.empty()) return replacement;
    auto kept = options.kept.find(row.option.name);
    if (kept == options.kept.end()) return std::nullopt;
    return kept->second;
}

}  // namespace

std::string resume_command(const RunOptions& options, const std::string& log_path) {
    std::string program = program_invocation_name;
    bool needs_directory = is_relative(program) && program.find('/') != std::string::npos;
    std::string command = base::shell_word(program) + " run";
    for (const RunOption& row : all_run_options()) {
        std::optional<std::string> text = value_on_resume(row, options, log_path);
        if (!text) continue;
        bool is_switch = row.option.value.kind == cli::Value::Kind::none;
        command += base::concat(" --", row.option.name, is_switch ? "" : " " + base::shell_word(*text));
        needs_directory = needs_directory || depends_on_directory(row.option.value, *text);
    }
    if (!needs_directory) return command;
    return base::concat("cd ", base::shell_word(options.directory), " && ", command);
}

std::string short_resume_command(const std::string& log_path) {
    std::string word =
        log_path.starts_with('-') ? "./" + log_path : log_path;  // or it would be taken for an option
    return base::concat("barnum run --", resume_from_option().name, " ", base::shell_word(word));
}

std::string inspect_command_line(const std::string& log_path) {
    return base::concat(base::shell_word(program_invocation_name), " inspect ", base::shell_word(log_path));
}

}  // namespace barnum
