// Server-sent events as text. Pure.
#pragma once

#include "base/text.hpp"

#include <string>
#include <string_view>

namespace serve {

// The client sends `id` when it connects again; "" leaves that as it was. Neither it nor the name has
// line breaks.
inline std::string event_text(std::string_view name, std::string_view data, std::string_view id = {}) {
    std::string text = base::concat("event: ", name, "\n");
    for (std::size_t end = data.find('\n'); end != data.npos; end = data.find('\n')) {
        text += base::concat("data: ", data.substr(0, end), "\n");
        data.remove_prefix(end + 1);
    }
    text += base::concat("data: ", data, "\n");
    if (!id.empty()) text += base::concat("id: ", id, "\n");
    return text + "\n";
}

// The beginning of each stream: how long a client waits before it connects again, in ms.
inline constexpr std::string_view retry_text = "retry: 1000\n\n";
// A client does not see this; by it, a lost connection is noticed.
inline constexpr std::string_view heartbeat_text = ":\n\n";

}  // namespace serve
