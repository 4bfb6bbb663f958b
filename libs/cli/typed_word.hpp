// A word of a command line as it was typed, with quotes and all, and as the program would get it.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace cli {

// An environment variable's value, "" if it is not set.
using Variable = std::function<std::string(const std::string& name)>;

// `word` without its quotes and backslashes, as bash and zsh read them; a quote may still be open. Of what a
// shell puts in, `~` and `~/…`, `$NAME` and `${NAME}` are known; nothing is executed, and a variable that is
// not set stays as it is.
std::string typed_word(std::string_view word, const Variable& variable);

// The same for a word whose quotes are gone already.
std::string expanded_word(std::string_view word, const Variable& variable);

}  // namespace cli
