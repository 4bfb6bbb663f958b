// The documents that `barnum mcp` offers its clients, as they were when the program was built.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace run_tools {

// The first paragraph of the comment at the beginning of a config, on one line.
std::string first_paragraph(std::string_view config);

// docs/config.md
std::string_view config_reference();

struct ExampleConfig {
    std::string_view name;  // of its folder in config-examples
    std::string_view text;
    std::string description = {};  // when to use it, as the comment at its beginning says
};
// The configs in the order of their names.
const std::vector<ExampleConfig>& example_configs();

}  // namespace run_tools
