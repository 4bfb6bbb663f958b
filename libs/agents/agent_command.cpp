#include "agents/agent_command.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <unistd.h>

namespace agents {

namespace {

// Characters that have no special meaning to a shell, wherever they stand.
bool is_plain(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("/._-+,:@%").find(c) != std::string_view::npos;
}

// The first word, if it is the path of a program; else empty.
std::string program_path(const std::string& command) {
    std::size_t begin = command.find_first_not_of(" \t");
    if (begin == std::string::npos) return "";
    std::size_t end = std::min(command.find_first_of(" \t\n;&|<>()", begin), command.size());
    std::string word = command.substr(begin, end - begin);
    bool is_path = word.find('/') != std::string::npos && std::ranges::all_of(word, is_plain);
    return is_path && (end == command.size() || command[end] != '(') ? word : "";
}

}  // namespace

base::Result<void> check_agent_command(std::string_view option, const std::string& command,
                                       const std::string& directory) {
    std::string program = program_path(command);
    if (program.empty()) return {};
    std::error_code ignored;
    auto path = (std::filesystem::path(directory) / program).lexically_normal();
    auto problem = [&](std::string_view what, std::string_view remedy) {
        return base::invalid(base::concat(option, ": ", program, " ", what, remedy));
    };
    auto status = std::filesystem::status(path, ignored);
    if (status.type() == std::filesystem::file_type::not_found)
        return problem("does not exist", base::concat("; agents run in this directory, ", directory));
    if (std::filesystem::is_directory(status)) return problem("is a directory, no program", "");
    if (::access(path.c_str(), X_OK) != 0)
        return problem("is not executable", base::concat("; `chmod +x ", program, "` makes it so"));
    return {};
}

}  // namespace agents
