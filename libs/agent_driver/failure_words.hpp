// What the words of a failure tell, whichever program they are of. For this room only.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace agent_driver {

// The text without escape sequences and control characters, and without blank lines at its ends.
std::string plain_text(std::string_view text);

// Whether a message that is plain text says nothing about its cause: "", "unknown", "Internal error".
bool tells_nothing(std::string_view message);

// "Please try again in 1h2m3.5s.", "Suggested retry after 3600s": how long the provider wants nobody to try
// again. Nothing if the message does not say.
std::optional<std::chrono::seconds> told_wait(std::string_view message);

}  // namespace agent_driver
