// Text in roff, as manual pages are written in it (man(7)). Pure; knows nothing of commands.
#pragma once

#include <string>
#include <string_view>

namespace cli::roff {

// The text as it stands, wherever it may be put: in a line of its own or in a macro's argument in quotes.
// Nothing in it is taken for a request or an escape, and quotes and dashes come out as they have to be typed.
// UTF-8 stays UTF-8.
std::string literal(std::string_view text);

// The same, with `what is between backticks` in bold instead.
std::string prose(std::string_view text);

std::string bold(std::string_view text);
std::string italic(std::string_view text);

}  // namespace cli::roff
