// The files of the page, which are inside the program. Pure.
#pragma once

#include <span>
#include <string_view>

namespace web {

struct Asset {
    std::string_view path;  // of a request: "/", "/app.js"
    std::string_view content_type;
    std::string_view text;  // as it is
    std::string_view gzip;  // the same, compressed
};

// All of them.
std::span<const Asset> assets();

// The one with this path; null if there is none.
const Asset* find_asset(std::string_view path);

// The Content-Security-Policy of a document that contains the script and the style sheet themselves. Its
// characters need no escapes in an attribute.
std::string_view report_policy();

}  // namespace web
