#include "run_tools/documents.hpp"

#include "base/embed.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <cstddef>

#define EMBEDDED(SYMBOL, NAME, PATH) BASE_EMBED(SYMBOL, PATH);
#include <mcp_documents.inc>
#undef EMBEDDED

namespace run_tools {

namespace {

// The first one is the reference, which has no name.
const std::vector<ExampleConfig>& documents() {
    static const std::vector<ExampleConfig> all{
#define EMBEDDED(SYMBOL, NAME, PATH) {NAME, BASE_EMBEDDED(SYMBOL)},
#include <mcp_documents.inc>
#undef EMBEDDED
    };
    return all;
}

}  // namespace

std::string first_paragraph(std::string_view config) {
    constexpr std::string_view mark = "// ";
    std::string paragraph;
    while (config.starts_with(mark)) {
        std::string_view line = config.substr(0, config.find('\n'));
        paragraph += base::concat(paragraph.empty() ? "" : " ", line.substr(mark.size()));
        config.remove_prefix(std::min(line.size() + 1, config.size()));
    }
    return paragraph;
}

std::string_view config_reference() {
    return documents().front().text;
}

const std::vector<ExampleConfig>& example_configs() {
    static const std::vector<ExampleConfig> examples = [] {
        std::vector<ExampleConfig> all(documents().begin() + 1, documents().end());
        for (ExampleConfig& example : all)
            example.description = first_paragraph(example.text);
        return all;
    }();
    return examples;
}

}  // namespace run_tools
