// The text of --help, and how a command is called in messages. Inner part of cli/command_line. Pure but for
// the stream.
#pragma once

#include "cli/command_line.hpp"

#include <ostream>
#include <string>
#include <vector>

namespace cli {

// A place in the table: a command, and before it those that it is a command of. Empty: the program itself.
using Path = std::vector<const Command*>;

// "prog", "prog config validate"
std::string invocation(const Program& program, const Path& path);

// " LOG" for an option whose value has that name, for each that may be given by its place.
std::string positional_names(const Command& command);

// For the program and for a command that has commands: the list of these.
void print_help(const Program& program, const Path& path, std::ostream& out);

}  // namespace cli
