// Commands, commands within commands, their options, their --help and their completion from one table. Wraps
// Boost.Program_options; prints help to stdout and usage errors to stderr.
#pragma once

#include "cli/option.hpp"

#include <boost/program_options/variables_map.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace cli {

// Exit codes that mean the same everywhere (sysexits.h, where it has one).
enum ExitCode {
    ok = 0,
    failure = 1,
    usage = 2,
    unavailable = 69,
    io_error = 74,
};

using Options = boost::program_options::variables_map;

// Does something (`run`), or has commands of its own (`barnum config validate`) and is only their name.
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

// Finds the command, parses, runs it and returns its exit code. `--help`/`-h` anywhere and
// `help [COMMAND...]` print to stdout and return 0; an unknown command or option and a missing one print what
// is wrong and return 2. An empty value is wrong usage. What a command has printed is flushed: 74 if it can't
// be written, whatever the command returned. No command, or one that has commands without one of these: the
// help on stderr and 2.
// `__complete` is there besides, for shells (cli/completion).
int run(const Program& program, int argc, const char* const* argv);

}  // namespace cli
