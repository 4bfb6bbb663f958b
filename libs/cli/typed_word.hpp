// Converts a word of a command line as it was typed, with quotes, to the word that the program would get.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace cli {

// An environment variable's value, "" if it is not set.
using Variable = std::function<std::string(const std::string& name)>;

// `word` without its quotes and backslashes, as bash and zsh read them; a quote may still be open. Of
// the shell's expansions, it does `~`, `~/…`, `$NAME` and `${NAME}`; nothing is executed, and a variable that
// is not set is left unchanged.
std::string typed_word(std::string_view word, const Variable& variable);

// Does these expansions in a word whose quotes were already removed.
std::string expanded_word(std::string_view word, const Variable& variable);

}  // namespace cli
