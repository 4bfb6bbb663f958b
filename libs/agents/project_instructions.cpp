#include "agents/project_instructions.hpp"

#include "agent_driver/project.hpp"
#include "base/text.hpp"
#include "base/text_parts.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <optional>
#include <vector>

namespace agents {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_instructions = 65'536;  // bytes

// The directory and those above it, up to the top of its repository, which comes last.
std::vector<std::string> within_repository(std::string_view directory) {
    std::vector<std::string> all = agent_driver::with_parents(directory);
    auto top = std::ranges::find_if(all, [](const std::string& path) {
        std::error_code ignored;
        return fs::exists(fs::path(path) / ".git", ignored);
    });
    all.erase(top == all.end() ? all.begin() + 1 : top + 1, all.end());
    return all;
}

bool is_below(const std::string& top, const fs::path& real) {
    std::error_code error;
    const fs::path root = fs::canonical(top, error);
    return !error && std::mismatch(root.begin(), root.end(), real.begin(), real.end()).first == root.end();
}

bool is_instructions(const fs::path& path) {
    constexpr std::array<std::string_view, 4> names{"CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", "GEMINI.md"};
    return std::ranges::find(names, path.filename().string()) != names.end();
}

// The real path of a regular file that the model may be told. A link could lead to any other file, also
// within the repository, such as the user's keys: so it may lead only to what the model can read anyway, or
// to other instructions of the repository.
std::optional<fs::path> file_at(const fs::path& path, const std::string& directory, const std::string& top) {
    std::error_code error;
    fs::path real = fs::canonical(path, error);
    if (error || !fs::is_regular_file(real, error) || error) return std::nullopt;
    const bool may_be_told = is_below(directory, real) || (is_instructions(real) && is_below(top, real));
    return may_be_told ? std::optional(real) : std::nullopt;
}

std::string beginning_of(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::string text(longest_instructions, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(file.gcount()));
    return std::string(base::cut_to(text, longest_instructions));
}

}  // namespace

std::string project_instructions(const agent_driver::Settings& settings) {
    auto names = agent_driver::instruction_files(settings);
    if (names.empty()) return "";
    std::vector<std::string> directories = within_repository(settings.directory);
    const std::string top = directories.back();
    std::string out;
    for (auto directory = directories.rbegin(); directory != directories.rend(); ++directory)
        for (std::string_view name : names) {
            fs::path path = fs::path(*directory) / name;
            if (auto file = file_at(path, settings.directory, top))
                out += base::concat("\n\nFrom ", path.string(), ":\n\n", beginning_of(*file));
        }
    return out;
}

}  // namespace agents
