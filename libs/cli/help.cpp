#include "cli/help.hpp"

#include "cli/parse.hpp"

#include <algorithm>

namespace cli {

namespace {

void print_commands(const std::vector<Command>& commands, std::ostream& out) {
    std::size_t width = 0;
    for (const Command& command : commands)
        width = std::max(width, command.name.size());
    out << "Commands:\n";
    for (const Command& command : commands)
        out << "  " << command.name << std::string(width + 2 - command.name.size(), ' ') << command.summary
            << "\n";
}

auto global_options(const Program& program) {
    return boost_options(program.global_options, "Options of every command");
}

// Prints the commands of the program, or of a command that has commands.
void print_list(const Program& program, const Path& path, std::ostream& out) {
    const std::string name = invocation(program, path);
    const Command* group = path.empty() ? nullptr : path.back();
    out << (group ? group->summary : program.summary) << "\n\nUsage: " << name << " COMMAND [OPTIONS]\n\n";
    print_commands(group ? group->commands : program.commands, out);
    out << "\n" << global_options(program) << "\n" << (group ? group->details : program.details);
    out << "\n`" << name << " COMMAND --help` explains a command.\n";
}

}  // namespace

std::string invocation(const Program& program, const Path& path) {
    std::string out = program.name;
    for (const Command* command : path)
        out.append(" ").append(command->name);
    return out;
}

std::string positional_names(const Command& command) {
    std::string names;
    for (const Option& option : command.options)
        if (option.is_positional) names += " " + option.value.name;
    return names;
}

void print_help(const Program& program, const Path& path, std::ostream& out) {
    if (path.empty() || !path.back()->commands.empty()) return print_list(program, path, out);
    const Command& command = *path.back();
    out << command.summary << "\n\nUsage: " << invocation(program, path) << " [OPTIONS]"
        << positional_names(command) << "\n\n";
    if (!command.options.empty()) out << boost_options(command.options, "Options") << "\n";
    out << global_options(program) << "\n" << command.details;
}

}  // namespace cli
