// A program's commands with their options and subcommands, in one table, from which --help and completion are
// made. Wraps Boost.Program_options; prints help to stdout and usage errors to stderr.
#pragma once

#include "cli/option.hpp"

#include <boost/program_options/variables_map.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace cli {

using Options = boost::program_options::variables_map;

// A command: it either does something (`run`), or has subcommands and is only their common name (`config` in
// `barnum config validate`).
struct Command {
    std::string name;     // "get_task"
    std::string summary;  // one line, for the list of commands
    std::string details;  // paragraphs and examples, in the form of cli/details.hpp; may be empty
    std::vector<Option> options = {};
    std::function<int(const Options&)> run = {};  // may throw program_options::error: wrong usage
    std::vector<Command> commands = {};           // if there are any, `run` and `options` are empty
};

struct Program {
    std::string name;                         // "troupe"
    std::string summary;                      // what it is
    std::string details;                      // examples, below the list of commands; the same form
    std::vector<Option> global_options = {};  // allowed before and after the command's name
    std::vector<Command> commands = {};
    std::function<void(const Options&)> prepare = {};  // called before a command runs; may be empty
};

// Finds the command, parses the options, runs the command and returns its exit code. `--help`/`-h` anywhere
// and `help [COMMAND...]` print the help to stdout and return 0. An unknown command, an unknown or missing
// option and an empty value print a message and return 2; so does a missing command or subcommand, with the
// help on stderr. The command's output is flushed; if it can't be written, the result is 74, whatever the
// command returned. The hidden command `__complete` is for shells (cli/completion).
int run(const Program& program, int argc, const char* const* argv);

}  // namespace cli
