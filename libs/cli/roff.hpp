// Text in roff, the language of manual pages (man(7)). Pure; knows nothing of commands.
#pragma once

#include <string>
#include <string_view>

namespace cli::roff {

// The text, escaped so that it is printed unchanged, in a line of its own or in a quoted argument of a macro:
// nothing in it is interpreted as a request or an escape, and quotes and dashes can be copied. UTF-8 stays
// UTF-8.
std::string literal(std::string_view text);

// As literal(), but `what is between backticks` is in bold.
std::string prose(std::string_view text);

std::string bold(std::string_view text);
std::string italic(std::string_view text);

}  // namespace cli::roff
