#include "agents/surroundings.hpp"

#include "agent_driver/conversation.hpp"
#include "agents/mcp_file.hpp"
#include "agents/park.hpp"
#include "base/own_environment.hpp"
#include "base/state_home.hpp"
#include "base/text.hpp"
#include "io/directory.hpp"
#include "output/redaction.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <unistd.h>

namespace agents {

namespace {

using agent_driver::Variable;

bool is_executable_file(const std::string& path) {
    std::error_code ignored;
    return std::filesystem::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
}

std::string search_path(const std::vector<Variable>& environment) {
    const char* own = ::getenv("PATH");
    std::string path = own == nullptr ? "/bin:/usr/bin" : own;
    for (const Variable& variable : environment)
        if (variable.name == "PATH") path = variable.value;
    return path;
}

// npm installs a program as several packages of the same scope, side by side or one within another:
// "…/node_modules/@openai/codex/bin/codex.js" -> "…/node_modules/@openai". Any other program is one file.
std::string place_of(const std::string& program) {
    std::error_code error;
    const std::string real = std::filesystem::canonical(program, error).string();
    constexpr std::string_view scoped = "/node_modules/@";
    const std::size_t at = real.find(scoped);
    if (error || at == std::string::npos) return error ? "" : real;
    return real.substr(0, real.find('/', at + scoped.size()));
}

std::string files_directory() {
    const std::string home = base::state_home();
    return home.empty() ? "" : home + "/barnum/programs";
}

std::vector<std::string> secret_names(const agent_driver::Settings& settings) {
    const char* further = ::getenv("BARNUM_REDACT");
    std::vector<std::string> out;
    for (const auto& [name, value] : base::own_environment()) {
        const bool is_named = std::ranges::find(settings.kept_env, name) != settings.kept_env.end() ||
                              std::ranges::find(settings.env, name, &Variable::name) != settings.env.end();
        if (!is_named && output::is_secret_name(name, further == nullptr ? "" : further)) out.push_back(name);
    }
    return out;
}

base::Result<void> write_file(const agent_driver::LaunchFile& file) {
    const std::filesystem::path path = file.path;
    auto directory = io::Directory::make(path.parent_path().string(), io::choose_state_home);
    if (directory.has_error()) return directory.error();
    // Most often the file is there already, and other programs may be reading it.
    if (auto text = directory->read(path.filename().string(), file.text.size() + 1);
        text && *text == file.text)
        return {};
    auto scratch = io::Directory::make(base::concat(directory->path(), "/writing-", ::getpid()));
    if (scratch.has_error()) return scratch.error();
    auto written = directory->write(*scratch, path.filename().string(), file.text);
    ::rmdir(scratch->path().c_str());
    return written;
}

}  // namespace

std::optional<std::string> find_program(std::string_view name, const std::vector<Variable>& environment) {
    if (name.find('/') != std::string_view::npos)
        return is_executable_file(std::string(name)) ? std::optional<std::string>(name) : std::nullopt;
    const std::string path = search_path(environment) + ":";
    for (std::size_t begin = 0, end = 0; (end = path.find(':', begin)) != std::string::npos; begin = end + 1)
        if (std::string file = base::concat(path.substr(begin, end - begin), "/", name);
            is_executable_file(file))
            return file;
    return std::nullopt;
}

std::string absolute_places(std::string_view path) {
    std::string out;
    for (std::size_t begin = 0; begin < path.size();) {
        const std::size_t end = std::min(path.find(':', begin), path.size());
        const std::string_view place = path.substr(begin, end - begin);
        if (place.starts_with('/')) out += base::concat(out.empty() ? "" : ":", place);
        begin = end + 1;
    }
    return out;
}

base::Result<agent_driver::Surroundings> surroundings_of(const agent_driver::Settings& settings) {
    agent_driver::Surroundings out;
    auto launch = agent_driver::Conversation(settings, {}).launch({});
    if (auto program = find_program(launch.program, launch.environment))
        out.program_place = place_of(*program);
    out.configuration = account_of(settings, base::own_variable).place;
    out.files = files_directory();
    out.secrets = secret_names(settings);
    auto servers = read_mcp_file(settings, out.secrets);
    if (!servers) return servers.error();
    out.mcp_servers = std::move(*servers);
    return out;
}

base::Result<void> write_files(const std::vector<agent_driver::LaunchFile>& files) {
    for (const agent_driver::LaunchFile& file : files)
        if (auto written = write_file(file); !written) return written;
    return {};
}

}  // namespace agents
