// Completion of a command line by bash, zsh and fish, from the table that makes --help. The shell's script
// asks the program itself on each Tab (`PROGRAM __complete SHELL -- WORDS…`) and shows what it is told.
#pragma once

#include "cli/command_line.hpp"

#include <string>
#include <vector>

namespace cli {

// What may stand in place of the last of `words`: the words behind the program's name up to the cursor, as
// the program would get them. The last one is what has been typed of a word, perhaps nothing. Does not look
// whether the candidates begin like that.
Completion complete(const Program& program, const std::vector<std::string>& words);

// The hidden command: `arguments` are SHELL -- WORDS…, the words as that shell has them. Prints the kind of
// completion, then a candidate a line, its description behind a tab. Never prints an error.
inline constexpr const char* complete_name = "__complete";
int print_completion(const Program& program, const std::vector<std::string>& arguments);

// `completion SHELL`: prints the shell's script. `found` says which of the program's values are looked up on
// the machine: "the pools in the root (--pool)".
Command completion_command(const std::string& program, const std::string& found);

// The script that makes `shell` ("bash", "zsh", "fish") ask `program`.
std::string completion_script(const std::string& shell, const std::string& program);

}  // namespace cli
