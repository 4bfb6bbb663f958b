#include "agents/agent_command.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <sys/statvfs.h>
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

bool is_on_noexec(const std::filesystem::path& path) {
    struct statvfs system {};
    return ::statvfs(path.c_str(), &system) == 0 && (system.f_flag & ST_NOEXEC) != 0;
}

// Editors of other systems end lines with it: the kernel takes it for a part of the interpreter's name.
bool has_carriage_return(const std::filesystem::path& path) {
    std::array<char, 256> begin;  // the kernel reads no more
    std::ifstream file(path, std::ios::binary);
    file.read(begin.data(), begin.size());
    std::string_view text(begin.data(), static_cast<std::size_t>(file.gcount()));
    return text.starts_with("#!") && text.substr(0, text.find('\n')).ends_with('\r');
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
    if (is_on_noexec(path))
        return problem("is on a file system that executes nothing",
                       "; move it to another, or mount that without noexec");
    if (::access(path.c_str(), X_OK) != 0)
        return problem("is not executable", base::concat("; `chmod +x ", program, "` makes it so"));
    if (has_carriage_return(path))
        return problem("has a carriage return in its first line, so that its interpreter is not found",
                       base::concat("; `sed -i 's/\\r$//' ", program, "` removes all of them"));
    return {};
}

}  // namespace agents
