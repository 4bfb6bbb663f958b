#include "config/agent_paths.hpp"

#include <filesystem>

namespace config {

namespace {

std::string below(const std::string& directory, const std::string& path) {
    if (path.empty()) return directory;
    std::string text = (std::filesystem::path(directory) / path).lexically_normal().string();
    if (text.size() > 1 && text.ends_with('/')) text.pop_back();
    return text;
}

}  // namespace

void resolve_paths(agent_driver::Settings& settings, const std::string& directory) {
    settings.directory = below(directory, settings.directory);
    if (!settings.mcp.empty()) settings.mcp = below(directory, settings.mcp);
    if (settings.program.find('/') != std::string::npos)
        settings.program = below(directory, settings.program);
}

}  // namespace config
