// The text of --help, and the name of a command in messages. Internal to cli/command_line. Pure, except that
// it writes to a stream.
#pragma once

#include "cli/command_line.hpp"

#include <ostream>
#include <string>
#include <vector>

namespace cli {

// A place in the table: a command, preceded by the commands that contain it. Empty: the program itself.
using Path = std::vector<const Command*>;

// "prog", "prog config validate"
std::string invocation(const Program& program, const Path& path);

// The names of the values of all positional options, each after a space: " LOG".
std::string positional_names(const Command& command);

// Prints the help; for the program, or for a command with subcommands, the list of its commands.
void print_help(const Program& program, const Path& path, std::ostream& out);

}  // namespace cli
