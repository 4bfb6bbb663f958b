// A config's text with its links read in, which means the same without the linked files. Inner part of
// config/load.
#pragma once

#include "json/json.hpp"

#include <string>
#include <vector>

namespace config {

// A {"link": path} in the text, and the JSON that stands for it.
struct LinkContent {
    json::View link;
    std::string content;
};

// `root`, of which all the links are parts, as compact JSON with the links replaced. All else comes out as it
// was written.
std::string resolved_text(json::View root, std::vector<LinkContent> links);

}  // namespace config
