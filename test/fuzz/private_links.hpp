// Links in a config lead to files; a fuzz target reads none.
#pragma once

#include <string_view>

namespace fuzz {

// There is no such directory.
inline constexpr const char* no_directory = "/nonexistent/fuzz";

// Whether a link in `config` may lead out of no_directory: it is absolute, goes upwards or is written in
// escapes.
inline bool links_may_leave(std::string_view config) {
    auto has = [&](std::string_view part) { return config.find(part) != std::string_view::npos; };
    return has("\\u00") || (has("link") && (has("..") || has("\"/") || has("\\")));
}

}  // namespace fuzz
