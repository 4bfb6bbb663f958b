#include "agents/project_instructions.hpp"

#include "agent_driver/project.hpp"
#include "agents/found_file.hpp"
#include "base/text.hpp"
#include "base/text_parts.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
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

bool is_instructions(const fs::path& path) {
    constexpr std::array<std::string_view, 4> names{"CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", "GEMINI.md"};
    return std::ranges::find(names, path.filename().string()) != names.end();
}

bool is_in(const std::string& directory, const fs::path& real) {
    std::error_code error;
    const fs::path top = fs::canonical(directory, error);
    return !error && is_below(top, real);
}

// A link could lead to any other file, also within the repository, such as the user's keys: so it may lead
// only to what the model can read anyway, or to other instructions of the repository.
bool may_be_told(const FoundFile& file, const std::string& directory, const std::string& top) {
    const fs::path real = file.real_path();
    return file.is_regular() && (is_in(directory, real) || (is_instructions(real) && is_in(top, real)));
}

// Empty if there is no such file, or none that the model may be told.
std::string text_of(const std::string& path, const std::string& directory, const std::string& top) {
    auto file = FoundFile::find(path);
    if (!file || !may_be_told(*file, directory, top)) return "";
    auto text = file->beginning(longest_instructions);
    return text ? std::string(base::cut_to(*text, longest_instructions)) : "";
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
            const std::string path = (fs::path(*directory) / name).string();
            if (std::string text = text_of(path, settings.directory, top); !text.empty())
                out += base::concat("\n\nFrom ", path, ":\n\n", text);
        }
    return out;
}

}  // namespace agents
