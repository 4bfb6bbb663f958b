// Completion of command lines in bash, zsh and fish, from the same table as --help. On each Tab, the shell's
// script runs the program (`PROGRAM __complete SHELL -- WORDS…`) and shows the candidates that it prints.
#pragma once

#include "cli/command_line.hpp"

#include <string>
#include <vector>

namespace cli {

// The candidates for the last of `words`, which are the words after the program's name up to the cursor, as
// the program would get them. The last word is incomplete, possibly empty. Does not check whether the
// candidates begin with it.
Completion complete(const Program& program, const std::vector<std::string>& words);

// The hidden command: `arguments` are SHELL -- WORDS…, the words as that shell passes them. Prints the kind
// of completion, then one candidate per line, followed by a tab and its description. Never prints an error.
inline constexpr const char* complete_name = "__complete";
int print_completion(const Program& program, const std::vector<std::string>& arguments);

// `completion SHELL`: prints the shell's script. `found`, for its help, lists the values that are looked up
// on the machine: "the pools in the root (--pool)".
Command completion_command(const std::string& program, const std::string& found);

// The script by which `shell` ("bash", "zsh", "fish") completes command lines of `program`.
std::string completion_script(const std::string& shell, const std::string& program);

}  // namespace cli
