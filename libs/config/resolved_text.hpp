// The text of a config with its links replaced by their content, so that it does not depend on the linked
// files. Internal to config/load.
#pragma once

#include "json/json.hpp"

#include <string>
#include <vector>

namespace config {

// A {"link": path} in the text, and the JSON that replaces it.
struct LinkContent {
    json::View link;
    std::string content;
};

// `root` as compact JSON, with the links replaced, which are all parts of `root`. Everything else stays as it
// was written.
std::string resolved_text(json::View root, std::vector<LinkContent> links);

}  // namespace config
